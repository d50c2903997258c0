package io.quittance.engine;

import io.quittance.domain.Decision;
import io.quittance.domain.FactKind;
import io.quittance.domain.Ids;
import io.quittance.domain.PaymentFact;
import io.quittance.message.Delivery;
import io.quittance.message.Submission;
import io.quittance.message.Submission.Verdict;
import io.quittance.store.Ruling;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One submission on its way through the engine. */
final class Work {

    private final Submission submission;
    private final Promise<Verdict> answer = Promise.promise();
    private final @Nullable UUID subject;
    private final @Nullable String dedupKey;
    private int rounds;
    private int waits;
    private @Nullable String token;
    private boolean known;
    private boolean committed;
    private @Nullable Ruling ruling;

    Work(Submission submission) {
        this.submission = submission;
        PaymentFact fact = submission.fact();
        this.subject = fact == null ? null : Ids.parseHex(fact.reference()).orElse(null);
        this.dedupKey = dedupKey(submission.delivery());
    }

    private static @Nullable String dedupKey(@Nullable Delivery delivery) {
        return delivery == null || delivery.eventId() == null
                ? null
                : delivery.psp() + ":" + delivery.account() + ":" + delivery.eventId() + ":" + delivery.part();
    }

    Submission submission() {
        return submission;
    }

    Promise<Verdict> answer() {
        return answer;
    }

    /** The attempt or order that it is about; absent if it names nothing of ours. */
    Optional<UUID> subject() {
        return Optional.ofNullable(subject);
    }

    /** Whether the subject is an order, and not an attempt. */
    boolean isAboutOrder() {
        PaymentFact fact = submission.fact();
        return fact != null && fact.kind().subject() == FactKind.Subject.ORDER;
    }

    /** What must not be worked on twice at the same time. */
    String serialKey() {
        PaymentFact fact = submission.fact();
        return fact != null ? fact.reference() : "event:" + dedupKey().orElse("");
    }

    /** The name of the notification in the dedup store, if it has one. */
    Optional<String> dedupKey() {
        return Optional.ofNullable(dedupKey);
    }

    /** Another round begins; returns how many there were before. */
    int nextRound() {
        return rounds++;
    }

    /** Another wait for another process begins; returns how many there were before. */
    int nextWait() {
        return waits++;
    }

    /** This process marked the notification as in flight, with this token. */
    void takeUp(String with) {
        token = with;
    }

    boolean isTakenUp() {
        return token != null;
    }

    /** The token with which it was marked as in flight, which a later batch needs to release it. */
    Optional<String> token() {
        return Optional.ofNullable(token);
    }

    /** The dedup store says that the notification was committed before. */
    void markKnown() {
        known = true;
    }

    boolean isKnown() {
        return known;
    }

    /** What was decided, before it is written. */
    void ruled(Ruling decided) {
        ruling = decided;
    }

    Ruling ruling() {
        return Objects.requireNonNull(ruling, "not decided yet");
    }

    /** What was decided is durable: answer. */
    void commit() {
        committed = true;
        Decision decision = ruling().decision();
        answer.tryComplete(new Verdict(decision.outcome(), decision.reason()));
    }

    /** What was committed, if it was. */
    Optional<Ruling> committed() {
        return committed ? Optional.ofNullable(ruling) : Optional.empty();
    }

    boolean isAnswered() {
        return answer.future().isComplete();
    }

    void fail(Throwable cause) {
        answer.tryFail(cause);
    }
}
