package io.quittance.loadtest.strategies;

import io.quittance.domain.Audience;
import io.quittance.domain.Decider;
import io.quittance.domain.Decision;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Delivery;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.message.Unavailable;
import io.quittance.store.SnapshotStore;
import io.quittance.store.SnapshotStore.Versioned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The schemes that handle one notification at a time. All of them decide by the gateway's own rules and write the same
 * rows, so that only what protects them from each other differs.
 */
final class RowStrategies {

    private static final int ROUNDS_MAX = 50;
    private static final long LOCK_MS = 5_000;
    private static final long LOCK_PAUSE_MS_MAX = 10;
    private static final int LOCK_TRIES_MAX = 500;
    private static final long DEDUP_SECONDS = 259_200;
    private static final String UNLOCK =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    private static final String LOCK_ORDER = "select id from orders where id = $1 for update";
    private static final String ORDER_OF = "select order_id from attempts where id = $1 union all select $1";
    private static final String RAISE = "update orders set version = version + 1 where id = $1 and version = $2";

    private RowStrategies() {}

    /** Reads, decides and writes; each statement is a transaction of its own. */
    static Strategy none(Pool pool) {
        return submission -> read(pool, submission).compose(read -> {
            Decision decision = decide(read, submission);
            return write(pool, submission, read, decision).map(done -> verdict(decision));
        });
    }

    /** Waits for the order's row, and has it alone until the commit. */
    static Strategy pessimistic(Pool pool) {
        return submission -> pool.withTransaction(connection -> orderOf(connection, submission)
                .compose(order -> connection.preparedQuery(LOCK_ORDER).execute(Tuple.of(order)))
                .compose(locked -> readDecideWrite(connection, submission)));
    }

    /** Writes only if the version is still the one that was read; whoever lost reads again. */
    static Strategy optimistic(Pool pool) {
        return submission -> optimistic(pool, submission, 0);
    }

    private static Future<Verdict> optimistic(Pool pool, Submission submission, int round) {
        if (round == ROUNDS_MAX) {
            return Future.failedFuture(new Unavailable("the order is changing too fast"));
        }
        return pool.getConnection().compose(connection -> connection
                .begin()
                .compose(transaction -> read(connection, submission)
                        .compose(read -> {
                            Decision decision = decide(read, submission);
                            return claim(connection, read, decision)
                                    .compose(won -> won
                                            ? write(connection, submission, read, decision)
                                                    .compose(done -> transaction.commit())
                                                    .map(decision)
                                            : transaction.rollback().map((Decision) null));
                        })
                        .recover(failure -> abandon(transaction, failure)))
                .eventually(connection::close)
                .compose(decision -> decision == null
                        ? optimistic(pool, submission, round + 1)
                        : Future.succeededFuture(verdict(decision))));
    }

    private static Future<Boolean> claim(SqlConnection connection, Versioned read, Decision decision) {
        if (read == null || !decision.changesAnything()) {
            return Future.succeededFuture(true);
        }
        return connection
                .preparedQuery(RAISE)
                .execute(Tuple.of(read.orderId(), read.version()))
                .map(rows -> rows.rowCount() == 1);
    }

    private static <T> Future<T> abandon(Transaction transaction, Throwable failure) {
        return transaction.rollback().transform(gone -> Future.failedFuture(failure));
    }

    /**
     * What is usually written: dedup, a lock on the order, then row by row in a transaction. It answers a repetition by what
     * Redis says, and so writes nothing of it and does not wait for the commit of the first; the others log it.
     */
    static Strategy lock(Vertx vertx, Pool pool, Redis redis) {
        return submission -> firstTime(redis, submission).compose(first -> {
            if (!first) {
                return Future.succeededFuture(new Verdict(Outcome.DUPLICATE, "seen before"));
            }
            String token = UUID.randomUUID().toString();
            return orderOf(pool, submission).compose(order -> {
                String key = "lock:" + Ids.hex(order);
                return acquire(vertx, redis, key, token, 0)
                        .compose(locked -> pool.withTransaction(connection -> readDecideWrite(connection, submission)))
                        .eventually(() -> redis.send(Request.cmd(Command.EVAL)
                                .arg(UNLOCK)
                                .arg(1)
                                .arg(key)
                                .arg(token)));
            });
        });
    }

    private static Future<Boolean> firstTime(Redis redis, Submission submission) {
        Delivery delivery = submission.delivery();
        if (delivery == null || delivery.eventId() == null) {
            return Future.succeededFuture(true);
        }
        return redis.send(Request.cmd(Command.SET)
                        .arg("dedup:" + delivery.psp() + ":" + delivery.account() + ":" + delivery.eventId())
                        .arg("1")
                        .arg("NX")
                        .arg("EX")
                        .arg(DEDUP_SECONDS))
                .map(answer -> answer != null);
    }

    private static Future<Void> acquire(Vertx vertx, Redis redis, String key, String token, int tries) {
        if (tries == LOCK_TRIES_MAX) {
            return Future.failedFuture(new Unavailable("the lock is not to be had"));
        }
        return redis.send(Request.cmd(Command.SET)
                        .arg(key)
                        .arg(token)
                        .arg("NX")
                        .arg("PX")
                        .arg(LOCK_MS))
                .compose(answer -> answer != null
                        ? Future.succeededFuture()
                        : vertx.timer(1 + ThreadLocalRandom.current().nextLong(LOCK_PAUSE_MS_MAX))
                                .compose(waited -> acquire(vertx, redis, key, token, tries + 1)));
    }

    private static Future<Verdict> readDecideWrite(SqlClient client, Submission submission) {
        return read(client, submission).compose(read -> {
            Decision decision = decide(read, submission);
            return write(client, submission, read, decision).map(done -> verdict(decision));
        });
    }

    private static Future<Versioned> read(SqlClient client, Submission submission) {
        UUID subject = subject(submission);
        PaymentFact fact = submission.fact();
        boolean order = fact != null && fact.kind().subject() == FactKind.Subject.ORDER;
        List<UUID> one = List.of(subject);
        return SnapshotStore.read(
                        client, order ? List.of() : one, order ? one : List.of(), merchant -> Audience.ofPaid("erp"))
                .map(found -> found.get(subject));
    }

    private static Decision decide(Versioned read, Submission submission) {
        return read == null
                ? new Decision(Outcome.UNMATCHED, "names nothing that is known here", List.of())
                : Decider.decide(read.snapshot(), submission.fact());
    }

    private static Future<Void> write(SqlClient client, Submission submission, Versioned read, Decision decision) {
        return read != null && decision.changesAnything()
                ? RowWriter.write(client, submission, read, decision)
                : RowWriter.log(client, submission, decision);
    }

    private static Future<UUID> orderOf(SqlClient client, Submission submission) {
        return client.preparedQuery(ORDER_OF)
                .execute(Tuple.of(subject(submission)))
                .map(rows -> rows.iterator().next().getUUID(0));
    }

    private static UUID subject(Submission submission) {
        return Ids.parseHex(submission.fact().reference()).orElseThrow();
    }

    private static Verdict verdict(Decision decision) {
        return new Verdict(decision.outcome(), decision.reason());
    }
}
