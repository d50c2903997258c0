package io.quittance.engine;

import io.quittance.domain.Decider;
import io.quittance.domain.Decision;
import io.quittance.domain.Outcome;
import io.quittance.domain.PaymentFact;
import io.quittance.domain.Snapshot.StockAnswer;
import io.quittance.message.Submission;
import io.quittance.message.Unavailable;
import io.quittance.redis.NotificationDedup;
import io.quittance.store.DecisionStore;
import io.quittance.store.Ruling;
import io.quittance.store.SnapshotStore;
import io.quittance.store.SnapshotStore.Versioned;
import io.quittance.store.StockStore;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way: ask the dedup store, read the orders, decide, write, tell the dedup store, answer. Its future
 * never fails; every fact in it is either answered or handed back to be looked at again.
 */
final class Batch {

    /** SQLSTATEs of a deadlock and of a failed serialization. */
    private static final Set<String> CONFLICTS = Set.of("40P01", "40001");

    private static final String UNIQUE_VIOLATION = "23505";

    private final List<Work> works;
    private final EngineOptions options;
    private final Pool pool;
    private final DecisionStore decisions;
    private final NotificationDedup dedup;
    private final String token;
    private final List<Again> again = new ArrayList<>();
    /** How many notifications are marked as in flight with the token. */
    private int takenUp;

    private Runnable beingWritten = () -> {};

    /** A fact that must be looked at again, at once or after so many milliseconds. */
    record Again(Work work, long afterMs) {}

    Batch(List<Work> works, EngineOptions options, Pool pool, DecisionStore decisions, NotificationDedup dedup) {
        this.works = works;
        this.options = options;
        this.pool = pool;
        this.decisions = decisions;
        this.dedup = dedup;
        this.token = newToken();
    }

    /** 96 random bits, as short as it can be: each key in the dedup store has it. */
    private static String newToken() {
        byte[] random = new byte[12];
        ThreadLocalRandom.current().nextBytes(random);
        return Base64.getUrlEncoder().encodeToString(random);
    }

    /**
     * Goes all of its way.
     *
     * @param whenBeingWritten called as soon as what was decided is with the database, perhaps more than once; not if
     *     there is nothing to write
     */
    Future<List<Again>> run(Runnable whenBeingWritten) {
        beingWritten = whenBeingWritten;
        return takeUp().compose(taken -> pool.withConnection(connection -> settle(connection, taken)))
                .recover(failure -> {
                    failAll(works.stream().filter(this::isLeft).toList(), failure);
                    return Future.succeededFuture();
                })
                .map(done -> again);
    }

    private boolean isLeft(Work work) {
        return !work.isAnswered() && again.stream().noneMatch(later -> later.work() == work);
    }

    private Future<List<Work>> takeUp() {
        List<Work> asked = works.stream()
                .filter(work -> !work.isTakenUp() && work.dedupKey().isPresent())
                .toList();
        List<String> keys =
                asked.stream().map(work -> work.dedupKey().orElseThrow()).toList();
        return dedup.begin(keys, token).map(states -> {
            Set<Work> elsewhere = new HashSet<>();
            for (int i = 0; i < asked.size(); i++) {
                Work work = asked.get(i);
                switch (states.get(i)) {
                    case FRESH -> {
                        work.takeUp(token);
                        takenUp++;
                    }
                    case DONE -> work.markKnown();
                    case IN_FLIGHT -> elsewhere.add(work);
                }
            }
            return works.stream().filter(work -> !waitForOther(work, elsewhere)).toList();
        });
    }

    /** Another process has it in hand: answer only after its commit, or take it up when its time is over. */
    private boolean waitForOther(Work work, Set<Work> elsewhere) {
        if (!elsewhere.contains(work)) {
            return false;
        }
        if (work.nextWait() * options.waitForOtherMs() >= dedup.inFlightMs()) {
            return false;
        }
        again.add(new Again(work, options.waitForOtherMs()));
        return true;
    }

    private Future<Void> settle(SqlConnection connection, List<Work> taken) {
        List<Work> news = taken.stream().filter(work -> !work.isKnown()).toList();
        return read(connection, news).compose(orders -> decideAndWrite(connection, taken, orders));
    }

    private Future<Map<UUID, Versioned>> read(SqlConnection connection, List<Work> news) {
        Set<UUID> attempts = new TreeSet<>();
        Set<UUID> orders = new TreeSet<>();
        for (Work work : news) {
            work.subject().ifPresent(work.isAboutOrder() ? orders::add : attempts::add);
        }
        return SnapshotStore.read(connection, attempts, orders, options.audienceOfMerchant());
    }

    private Future<Void> decideAndWrite(SqlConnection connection, List<Work> taken, Map<UUID, Versioned> orders) {
        List<Work> together = new ArrayList<>();
        List<Work> needStock = new ArrayList<>();
        Set<UUID> touched = new HashSet<>();
        for (Work work : taken) {
            Ruling ruling = rule(work, work.subject().map(orders::get).orElse(null));
            Versioned read = ruling.read();
            boolean changing =
                    ruling.decision().changesAnything() || ruling.decision().outcome() == Outcome.NEEDS_STOCK;
            if (changing && read != null && !touched.add(read.orderId())) {
                again.add(new Again(work, 0));
            } else if (ruling.decision().outcome() == Outcome.NEEDS_STOCK) {
                needStock.add(work);
            } else {
                work.ruled(ruling);
                together.add(work);
            }
        }
        together.sort(Batch::byOrder);
        return write(connection, together).compose(written -> settleWithStock(connection, needStock, 0));
    }

    private Ruling rule(Work work, @Nullable Versioned read) {
        Submission submission = work.submission();
        PaymentFact fact = submission.fact();
        Decision decision;
        if (fact == null) {
            decision = new Decision(Outcome.IGNORED, "not about anything that is kept here", List.of());
        } else if (work.isKnown()) {
            decision = new Decision(Outcome.DUPLICATE, "this notification was committed before", List.of());
        } else if (read == null) {
            decision = new Decision(Outcome.UNMATCHED, "names nothing that is known here", List.of());
        } else {
            decision = Decider.decide(read.snapshot(), fact);
        }
        return ruling(submission, decision, read);
    }

    private static Ruling ruling(Submission submission, Decision decision, @Nullable Versioned read) {
        return new Ruling(decision, submission.fact(), submission.delivery(), submission.eventType(), read);
    }

    private Future<Void> write(SqlConnection connection, List<Work> together) {
        if (together.isEmpty()) {
            return Future.succeededFuture();
        }
        List<Ruling> rulings = together.stream().map(Work::ruling).toList();
        return Future.succeededFuture(rulings)
                .compose(rows -> {
                    Future<Set<UUID>> written = decisions.write(connection, rows);
                    beingWritten.run();
                    return written;
                })
                .map(moved -> {
                    committed(together, moved);
                    return (Void) null;
                })
                .recover(failure -> isolate(connection, together, failure));
    }

    /** One row that cannot be written must not hold up the others: halve until it stands alone. */
    private Future<Void> isolate(SqlConnection connection, List<Work> together, Throwable failure) {
        if (isConflict(failure)) {
            together.forEach(this::lostTheRace);
            return Future.succeededFuture();
        }
        boolean connectionLost = failure instanceof ClosedConnectionException || failure instanceof IOException;
        if (together.size() == 1 || connectionLost) {
            failAll(together, failure);
            return Future.succeededFuture();
        }
        int half = together.size() / 2;
        return write(connection, together.subList(0, half))
                .compose(done -> write(connection, together.subList(half, together.size())));
    }

    /** Another transaction was in the way and has gone on: the same may succeed now. */
    private static boolean isConflict(Throwable failure) {
        return failure instanceof PgException refused && CONFLICTS.contains(refused.getSqlState());
    }

    private void committed(List<Work> together, Set<UUID> moved) {
        List<Work> done = new ArrayList<>();
        for (Work work : together) {
            Ruling ruling = work.ruling();
            Versioned read = ruling.read();
            boolean lost = ruling.decision().changesAnything() && read != null && !moved.contains(read.orderId());
            if (lost) {
                lostTheRace(work);
            } else {
                work.commit();
                done.add(work);
            }
        }
        markAsDone(done);
    }

    /** Most batches are committed as a whole, which is told in one word; else each notification is named. */
    private void markAsDone(List<Work> done) {
        Set<String> taken = new HashSet<>();
        Set<String> others = new HashSet<>();
        for (Work work : done) {
            boolean isOurs = work.token().filter(token::equals).isPresent();
            work.dedupKey().filter(key -> !work.isKnown()).ifPresent((isOurs ? taken : others)::add);
        }
        if (taken.size() == takenUp && takenUp > 0) {
            dedup.allDone(token);
        } else {
            others.addAll(taken);
        }
        dedup.done(others);
    }

    private void lostTheRace(Work work) {
        if (work.nextRound() < options.roundsMax()) {
            again.add(new Again(work, 0));
        } else {
            failAll(List.of(work), new Unavailable("the order is changing too fast"));
        }
    }

    private Future<Void> settleWithStock(SqlConnection connection, List<Work> needStock, int next) {
        if (next >= needStock.size()) {
            return Future.succeededFuture();
        }
        Work work = needStock.get(next);
        return withStock(connection, work)
                .recover(failure -> withoutStock(connection, work, failure))
                .compose(done -> settleWithStock(connection, needStock, next + 1));
    }

    /** Two engines that take the same order's stock at once cannot both keep it: who comes second decides again. */
    private Future<Void> withoutStock(SqlConnection connection, Work work, Throwable failure) {
        if (failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState())) {
            lostTheRace(work);
            return Future.succeededFuture();
        }
        return isolate(connection, List.of(work), failure);
    }

    /** Takes the stock and writes what follows from it, in one transaction that the version guard may undo. */
    private Future<Void> withStock(SqlConnection connection, Work work) {
        PaymentFact fact = Objects.requireNonNull(work.submission().fact());
        UUID subject = work.subject().orElseThrow();
        return connection.begin().compose(transaction -> read(connection, List.of(work))
                .compose(orders -> {
                    Versioned read = Objects.requireNonNull(orders.get(subject));
                    Decision asked = Decider.decide(read.snapshot(), fact);
                    if (asked.outcome() != Outcome.NEEDS_STOCK) {
                        return Future.succeededFuture(ruling(work.submission(), asked, read));
                    }
                    return StockStore.take(
                                    connection,
                                    read.orderId(),
                                    fact,
                                    work.submission().delivery())
                            .map(taken -> ruling(
                                    work.submission(),
                                    Decider.decide(
                                            read.snapshot()
                                                    .withStock(taken ? StockAnswer.TAKEN : StockAnswer.NONE_LEFT),
                                            fact),
                                    read));
                })
                .compose(ruling -> {
                    work.ruled(ruling);
                    return decisions.write(connection, List.of(ruling));
                })
                .compose(moved -> moved.isEmpty() && work.ruling().decision().changesAnything()
                        ? transaction.rollback().map(moved)
                        : transaction.commit().map(moved))
                .recover(failure -> transaction.rollback().transform(gone -> Future.failedFuture(failure)))
                .map(moved -> {
                    committed(List.of(work), moved);
                    return null;
                }));
    }

    private void failAll(List<Work> failed, Throwable failure) {
        Map<String, Set<String>> keysByToken = new HashMap<>();
        for (Work work : failed) {
            work.token().ifPresent(with -> keysByToken
                    .computeIfAbsent(with, key -> new HashSet<>())
                    .add(work.dedupKey().orElseThrow()));
            work.fail(
                    failure instanceof Unavailable
                            ? failure
                            : new Unavailable("the store does not take it now", failure));
        }
        keysByToken.forEach((with, keys) -> dedup.release(keys, with));
    }

    private static int byOrder(Work a, Work b) {
        return orderOf(a).compareTo(orderOf(b));
    }

    private static UUID orderOf(Work work) {
        Versioned read = work.ruling().read();
        return read == null ? new UUID(0, 0) : read.orderId();
    }
}
