package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.store.OrderView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What may still turn out paid is never to be paid again, and whoever is told so is told in so many words. */
class NeverAFalsePromiseTest {

    private static final String ENGLISH = "Do not pay again.";
    private static final String CHINESE = "请勿重复支付。";

    /** Attempts that can end with the money having moved. */
    private static final Set<AttemptStatus> UNDECIDED = Set.of(
            AttemptStatus.CREATED,
            AttemptStatus.PROCESSING,
            AttemptStatus.PENDING,
            AttemptStatus.UNKNOWN,
            AttemptStatus.MANUAL_REVIEW);

    private static final Set<RefundStatus> ON_ITS_WAY = Set.of(
            RefundStatus.REQUESTED,
            RefundStatus.PROCESSING,
            RefundStatus.UNKNOWN,
            RefundStatus.FAILED,
            RefundStatus.MANUAL_REVIEW);

    /** Orders in every state with up to two attempts and up to one refund, whether they can come to be or not. */
    static Stream<Sample> everyCombination() {
        List<Sample> all = new ArrayList<>();
        for (OrderStatus status : OrderStatus.values()) {
            for (AttemptStatus[] attempts : upToTwoAttempts()) {
                for (boolean calledOff : new boolean[] {false, true}) {
                    for (long left : new long[] {0, 600}) {
                        all.add(Sample.of(status)
                                .attempts(attempts)
                                .calledOff(calledOff)
                                .secondsLeft(left));
                    }
                }
                for (RefundStatus refund : RefundStatus.values()) {
                    all.add(Sample.of(status).attempts(attempts).refunds(RefundReason.LATE_PAYMENT, refund));
                }
                for (SyncStatus sync : SyncStatus.values()) {
                    all.add(Sample.of(status).attempts(attempts).sync(sync));
                }
            }
        }
        return all.stream();
    }

    private static List<AttemptStatus[]> upToTwoAttempts() {
        List<AttemptStatus[]> all = new ArrayList<>();
        all.add(new AttemptStatus[0]);
        for (AttemptStatus first : AttemptStatus.values()) {
            all.add(new AttemptStatus[] {first});
            for (AttemptStatus second : AttemptStatus.values()) {
                all.add(new AttemptStatus[] {first, second});
            }
        }
        return all;
    }

    @Test
    void what_may_still_turn_out_paid_is_never_told_without_the_sentence() {
        List<Sample> mayBePaid =
                everyCombination().filter(NeverAFalsePromiseTest::mayBePaid).toList();

        assertThat(mayBePaid).hasSizeGreaterThan(1_000).allSatisfy(order -> {
            assertThat(message(order)).contains(ENGLISH);
            assertThat(page(order, Language.ENGLISH)).contains(ENGLISH);
            assertThat(page(order, Language.CHINESE)).contains(CHINESE);
        });
    }

    @Test
    void where_paying_is_right_nobody_is_kept_from_it() {
        List<Sample> payable =
                everyCombination().filter(NeverAFalsePromiseTest::isPayable).toList();

        assertThat(payable).isNotEmpty().allSatisfy(order -> {
            assertThat(message(order)).doesNotContain(ENGLISH);
            assertThat(page(order, Language.ENGLISH)).doesNotContain(ENGLISH);
            assertThat(page(order, Language.CHINESE)).doesNotContain(CHINESE);
        });
    }

    @Test
    void page_and_message_say_it_of_the_same_orders() {
        assertThat(everyCombination())
                .allSatisfy(order -> assertThat(page(order, Language.ENGLISH).contains(ENGLISH))
                        .isEqualTo(message(order).contains(ENGLISH)));
    }

    @Test
    void a_stream_that_ends_leaves_nothing_behind_that_may_still_turn_out_paid() {
        assertThat(everyCombination()
                        .filter(NeverAFalsePromiseTest::mayBePaid)
                        .filter(order -> order.attempts().stream().anyMatch(UNDECIDED::contains)))
                .isNotEmpty()
                .noneMatch(order -> order.view().isSettled() || order.view().isSettledForPayer());
    }

    @ParameterizedTest
    @MethodSource("beingCalledOff")
    void an_order_that_is_being_called_off_says_so_to_machines_and_to_payers(Sample order) {
        assertThat(OrderJson.order(order.view(), "").getBoolean("called_off")).isTrue();
        assertThat(message(order)).contains("being called off", ENGLISH);
        assertThat(page(order, Language.ENGLISH)).contains("The order is being cancelled", ENGLISH);
        assertThat(page(order, Language.CHINESE)).contains("订单正在取消", CHINESE);
    }

    static Stream<Sample> beingCalledOff() {
        return upToTwoAttempts().stream()
                .map(attempts ->
                        Sample.of(OrderStatus.PENDING).attempts(attempts).calledOff(true));
    }

    @Test
    void an_order_that_was_called_off_and_concluded_is_called_off_no_more() {
        OrderView cancelled = Sample.of(OrderStatus.CANCELLED).calledOff(true).view();

        assertThat(OrderJson.order(cancelled, "")).doesNotContain(Map.entry("called_off", true));
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void without_the_database_the_sentence_is_in_the_notice(Language language) {
        String notice = NoticePage.notNow(language).body().toString();

        assertThat(notice).contains(language.choose("do not pay again", "请勿重复支付"));
    }

    private static boolean mayBePaid(Sample order) {
        boolean live = order.attempts().stream().anyMatch(UNDECIDED::contains);
        boolean calledOff = order.status() == OrderStatus.PENDING && order.calledOff();
        boolean moneyOfAClosedOrder = order.status().isClosedUnpaid()
                && (order.refunds().isEmpty()
                        ? order.attempts().contains(AttemptStatus.SUCCEEDED)
                        : order.refunds().stream().anyMatch(refund -> ON_ITS_WAY.contains(refund.status())));
        return live || calledOff || moneyOfAClosedOrder;
    }

    private static boolean isPayable(Sample order) {
        return order.status() == OrderStatus.PENDING
                && !order.calledOff()
                && order.secondsLeft() > 0
                && order.attempts().stream()
                        .allMatch(attempt -> attempt == AttemptStatus.FAILED || attempt == AttemptStatus.EXPIRED);
    }

    private static String message(Sample order) {
        return OrderMessage.of(order.view());
    }

    private static String page(Sample order, Language language) {
        ResultPage.Visit visit = new ResultPage.Visit(language, "A-1", "token", Optional.of("acme"), 0);
        return ResultPage.show(order.view(), visit).body().toString();
    }
}
