package io.quittance.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
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

    /** How long a notification may be in flight before somebody else may take it up, in milliseconds. */
    public static final long IN_FLIGHT_MS = 5_000;

    /** How long a finished notification is remembered, in seconds: 72 hours, as long as PSPs go on repeating. */
    private static final String DONE_SECONDS = "259200";

    private static final String DONE = "done";
    private static final String RELEASE_OWN =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private final RedisLink link;
    private final String prefix;

    /** @param prefix keeps the keys of several gateways on one Redis apart */
    public NotificationDedup(RedisLink link, String prefix) {
        this.link = link;
        this.prefix = prefix;
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
     * Takes up notifications. Never fails: without Redis all are fresh.
     *
     * @param keys one for each notification, no key twice
     * @param token names this worker
     */
    public Future<List<State>> begin(List<String> keys, String token) {
        if (keys.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        List<Request> requests = new ArrayList<>(keys.size() * 2);
        for (String key : keys) {
            requests.add(Request.cmd(Command.SET)
                    .arg(prefix + key)
                    .arg(token)
                    .arg("NX")
                    .arg("PX")
                    .arg(IN_FLIGHT_MS));
            requests.add(Request.cmd(Command.GET).arg(prefix + key));
        }
        return link.batch(requests).map(answers -> states(answers, token)).otherwise(away -> allFresh(keys.size()));
    }

    /** Marks notifications as done, after their commit. */
    public void done(Set<String> keys) {
        send(keys.stream()
                .map(key -> Request.cmd(Command.SET)
                        .arg(prefix + key)
                        .arg(DONE)
                        .arg("EX")
                        .arg(DONE_SECONDS))
                .toList());
    }

    /** Gives notifications back that could not be committed, if they are still this worker's. */
    public void release(Set<String> keys, String token) {
        send(keys.stream()
                .map(key -> Request.cmd(Command.EVAL)
                        .arg(RELEASE_OWN)
                        .arg(1)
                        .arg(prefix + key)
                        .arg(token))
                .toList());
    }

    private void send(List<Request> requests) {
        if (!requests.isEmpty()) {
            link.batch(requests)
                    .onFailure(away ->
                            LOG.debug("Redis is away; the database does the work alone: {}", away.getMessage()));
        }
    }

    private static List<State> states(List<Response> answers, String token) {
        List<State> states = new ArrayList<>(answers.size() / 2);
        for (int i = 1; i < answers.size(); i += 2) {
            Response holder = answers.get(i);
            states.add(state(holder == null ? token : holder.toString(), token));
        }
        return states;
    }

    private static State state(String holder, String token) {
        if (holder.equals(DONE)) {
            return State.DONE;
        }
        return holder.equals(token) ? State.FRESH : State.IN_FLIGHT;
    }

    private static List<State> allFresh(int count) {
        return Collections.nCopies(count, State.FRESH);
    }
}
