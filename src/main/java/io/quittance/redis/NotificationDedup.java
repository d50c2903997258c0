package io.quittance.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which notifications are being worked on and which are done. A key is marked done only after the commit, so
 * "done" can be believed; everything else only saves work.
 */
public final class NotificationDedup {

    private static final Logger LOG = LoggerFactory.getLogger(NotificationDedup.class);

    private static final String DONE = "done";

    /** Who holds each key, after each one that was free was taken. ARGV: the taker, milliseconds. */
    private static final String BEGIN = """
            local holders = {}
            for i, key in ipairs(KEYS) do
                if redis.call('set', key, ARGV[1], 'NX', 'PX', ARGV[2]) then
                    holders[i] = ARGV[1]
                else
                    holders[i] = redis.call('get', key)
                end
            end
            return holders
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
     * @param token names this worker
     */
    public Future<List<State>> begin(List<String> keys, String token) {
        if (keys.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        return link.send(script(BEGIN, keys).arg(token).arg(inFlightMs()))
                .map(holders -> states(holders, token))
                .otherwise(away -> Collections.nCopies(keys.size(), State.FRESH));
    }

    /** Marks notifications as done, after their commit. */
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

    private static List<State> states(Response holders, String token) {
        List<State> states = new ArrayList<>(holders.size());
        for (Response holder : holders) {
            states.add(state(holder.toString(), token));
        }
        return states;
    }

    private static State state(String holder, String token) {
        if (holder.equals(DONE)) {
            return State.DONE;
        }
        return holder.equals(token) ? State.FRESH : State.IN_FLIGHT;
    }
}
