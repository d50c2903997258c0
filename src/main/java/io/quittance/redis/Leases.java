package io.quittance.redis;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import org.jspecify.annotations.Nullable;

/**
 * Short leases that keep two workers from asking a PSP the same thing at once. They save calls and prove nothing: what
 * is written afterwards is guarded by the database. Without Redis every lease is granted.
 */
public final class Leases {

    private static final String RELEASE_OWN =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private static final String RENEW_OWN =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) else return 0 end";

    private final RedisLink link;
    private final String prefix;

    public Leases(RedisLink link, String prefix) {
        this.link = link;
        this.prefix = prefix;
    }

    /** Whether the lease was granted to this owner for so many milliseconds. */
    public Future<Boolean> acquire(String name, String owner, long forMs) {
        Request set = Request.cmd(Command.SET)
                .arg(prefix + name)
                .arg(owner)
                .arg("NX")
                .arg("PX")
                .arg(forMs);
        return link.send(set).map(Leases::granted).otherwise(true);
    }

    /** Lets a lease last for so many milliseconds from now, if it is still this owner's. */
    public Future<Void> renew(String name, String owner, long forMs) {
        Request renew = Request.cmd(Command.EVAL)
                .arg(RENEW_OWN)
                .arg(1)
                .arg(prefix + name)
                .arg(owner)
                .arg(forMs);
        return link.send(renew).<Void>mapEmpty().otherwiseEmpty();
    }

    /** Ends a lease, if it is still this owner's. */
    public Future<Void> release(String name, String owner) {
        Request release = Request.cmd(Command.EVAL)
                .arg(RELEASE_OWN)
                .arg(1)
                .arg(prefix + name)
                .arg(owner);
        return link.send(release).<Void>mapEmpty().otherwiseEmpty();
    }

    private static boolean granted(@Nullable Response answer) {
        return answer != null;
    }
}
