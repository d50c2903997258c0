package io.quittance.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which notifications are being worked on and which are done. A key is marked done only after the commit, so
 * "done" can be believed; everything else only saves work.
 *
 * <p>Whoever works on notifications takes them up under a token, which each of their keys then holds. What became of them
 * stands once for all of them, at the token: in flight as long as that may take, done after the commit. Keys whose token
 * tells nothing any more are free. So a notification is one write, and the end of a whole batch one more.
 */
public final class NotificationDedup {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationDedup.class);

    private static final String DONE = "done";

    /** What is before a token in the name of its key; the keys of notifications have more parts. */
    private static final String TOKEN = "token:";

    /**
     * Takes up each key that is free, and tells of each key, by a letter, whether it is the taker's (t), somebody else's
     * (s) or done (d). ARGV: the taker, what is before a token in its key, milliseconds in flight, milliseconds done.
     */
    private static final String BEGIN = """
            local taker, prefix, in_flight, done = unpack(ARGV)
            local known = {done = 'd', [taker] = 't'}
            redis.call('set', prefix .. taker, 'in flight', 'PX', in_flight)
            local letters = {}
            for i, key in ipairs(KEYS) do
                if redis.call('set', key, taker, 'NX', 'PX', done) then
                    letters[i] = 't'
                else
                    local holder = redis.call('get', key)
                    local letter = known[holder]
                    if not letter then
                        local state = redis.call('get', prefix .. holder)
                        letter = state == 'done' and 'd' or state and 's' or 't'
                        known[holder] = letter
                    end
                    if letter == 't' then
                        redis.call('set', key, taker, 'PX', done)
                    end
                    letters[i] = letter
                end
            end
            return table.concat(letters)
            """;

    /** ARGV: what marks a key as done, milliseconds. */
    private static final String FINISH = """
            for _, key in ipairs(KEYS) do
                redis.call('set', key, ARGV[1], 'PX', ARGV[2])
            end
            """;

    /** ARGV: the taker, whose keys alone are given back. */
    private static final String RELEASE = """
            for _, key in ipairs(KEYS) do
                if redis.call('get', key) == ARGV[1] then
                    redis.call('del', key)
                end
            end
            """;

    private final RedisLink link;
    private final String prefix;
    private final Marks marks;

    /** @param prefix keeps the keys of several gateways on one Redis apart */
    public NotificationDedup(RedisLink link, String prefix, Marks marks) {
        this.link = link;
        this.prefix = prefix;
        this.marks = marks;
    }

    /**
     * How long marks stay.
     *
     * @param inFlight how long a notification may be in flight before somebody else may take it up
     * @param done how long a finished one is remembered
     */
    public record Marks(Duration inFlight, Duration done) {

        /** 5 seconds, and 3 days: as long as PSPs go on repeating. */
        public static final Marks USUAL = new Marks(Duration.ofSeconds(5), Duration.ofDays(3));
    }

    /** How long a notification may be in flight, in milliseconds. */
    public long inFlightMs() {
        return marks.inFlight().toMillis();
    }

    /** What is known about a notification. */
    public enum State {
        /** It is ours to work on; or Redis is away, and the database will tell. */
        FRESH,
        /** Another process works on it right now. */
        IN_FLIGHT,
        /** It was committed. */
        DONE
    }

    /**
     * Takes up notifications, all of them by one command. Never fails: without Redis all are fresh.
     *
     * @param keys one for each notification, no key twice
     * @param token names this worker, and is used for nothing else
     */
    public Future<List<State>> begin(List<String> keys, String token) {
        if (keys.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        Request request = script(BEGIN, keys)
                .arg(token)
                .arg(prefix + TOKEN)
                .arg(inFlightMs())
                .arg(marks.done().toMillis());
        return link.send(request)
                .map(letters -> states(letters.toString()))
                .otherwise(away -> Collections.nCopies(keys.size(), State.FRESH));
    }

    /** Marks all notifications that were taken up with a token as done, after the commit of the last one. */
    public void allDone(String token) {
        tell(Request.cmd(Command.SET)
                .arg(prefix + TOKEN + token)
                .arg(DONE)
                .arg("PX")
                .arg(marks.done().toMillis()));
    }

    /** Marks some notifications as done, after their commit. */
    public void done(Set<String> keys) {
        if (!keys.isEmpty()) {
            tell(script(FINISH, keys).arg(DONE).arg(marks.done().toMillis()));
        }
    }

    /** Gives notifications back that could not be committed, if they are still this worker's. */
    public void release(Set<String> keys, String token) {
        if (!keys.isEmpty()) {
            tell(script(RELEASE, keys).arg(token));
        }
    }

    private Request script(String text, Collection<String> keys) {
        Request request = Request.cmd(Command.EVAL).arg(text).arg(keys.size());
        keys.forEach(key -> request.arg(prefix + key));
        return request;
    }

    private void tell(Request request) {
        link.send(request)
                .onFailure(away -> LOG.debug("Redis is away; the database does the work alone: {}", away.getMessage()));
    }

    private static List<State> states(String letters) {
        return letters.chars().mapToObj(NotificationDedup::state).toList();
    }

    private static State state(int letter) {
        return switch (letter) {
            case 't' -> State.FRESH;
            case 's' -> State.IN_FLIGHT;
            case 'd' -> State.DONE;
            default -> throw new IllegalStateException("the script answers with no such letter: " + (char) letter);
        };
    }
}
