package io.quittance.http;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.store.OrderView;
import java.util.List;
import java.util.function.Predicate;

/** What a payer is told about his order. */
enum PageState {
    NOT_PAID(Tone.WAITING, false, "Not paid yet", "尚未支付", "Go back to the shop to pay this order.", "请返回商家完成支付。"),
    CONFIRMING(
            Tone.WAITING,
            true,
            "Confirming your payment",
            "正在确认您的付款",
            "If you have paid, please wait: the confirmation can take a moment.",
            "如果您已完成付款，请稍候，确认可能需要一点时间。"),
    CALLING_OFF(
            Tone.WAITING,
            true,
            "The order is being cancelled",
            "订单正在取消",
            "A payment that was begun is checked first. You will see here what came of it.",
            "系统先核实已发起的付款，结果将显示在此页面。"),
    CLOSING(
            Tone.WAITING,
            false,
            "The time to pay is over",
            "支付时间已到",
            "The order is being closed. Please do not begin a payment now.",
            "订单正在关闭，请不要再发起付款。"),
    NOT_SUCCEEDED(
            Tone.BAD,
            false,
            "The payment did not succeed",
            "付款未成功",
            "The order is still open. You can try again in the shop.",
            "订单仍然有效，您可以返回商家重新支付。"),
    PAID(Tone.GOOD, false, "Paid", "支付成功", "Your payment has arrived. Thank you.", "我们已收到您的付款，谢谢。"),
    PAID_TWICE(
            Tone.GOOD,
            false,
            "Paid",
            "支付成功",
            "Your payment has arrived. You paid more than once; the other payment is sent back.",
            "我们已收到您的付款。您重复支付的款项将退还给您。"),
    NOT_FULFILLED(
            Tone.BACK,
            true,
            "Your money is being sent back",
            "款项正在退还",
            "You paid, but the shop cannot fulfil this order.",
            "您已付款，但商家无法履行此订单。"),
    PARTLY_REFUNDED(
            Tone.BACK,
            false,
            "Partly refunded",
            "已部分退款",
            "You paid, and a part of the money was sent back.",
            "您已付款，其中一部分款项已退还。"),
    REFUNDED(
            Tone.BACK,
            false,
            "Refunded",
            "已退款",
            "Your payment was sent back in full. It can take some days to arrive.",
            "您的付款已全额退还，到账可能需要几天时间。"),
    FAILED(
            Tone.BAD,
            false,
            "The payment did not succeed",
            "付款未成功",
            "The order is closed. To buy it after all, place a new order in the shop.",
            "订单已关闭。如仍需购买，请在商家重新下单。"),
    EXPIRED(
            Tone.BAD,
            false,
            "The order has expired",
            "订单已过期",
            "It was not paid in time and is closed. To buy it after all, place a new order in the shop.",
            "订单未在规定时间内支付，现已关闭。如仍需购买，请在商家重新下单。"),
    CANCELLED(Tone.BAD, false, "The order was cancelled", "订单已取消", "It needs no payment.", "此订单无需支付。"),
    MONEY_GOES_BACK(
            Tone.BACK,
            true,
            "Your money is being sent back",
            "款项正在退还",
            "Your payment could not be used for this order, which is closed.",
            "订单已关闭，您的付款无法用于此订单。"),
    MONEY_WENT_BACK(
            Tone.BACK,
            false,
            "Your money was sent back",
            "款项已退还",
            "Your payment could not be used for this order, which is closed. It can take some days to arrive.",
            "订单已关闭，您的付款无法用于此订单，已退还给您，到账可能需要几天时间。"),
    UNDER_REVIEW(
            Tone.ATTENTION,
            true,
            "Your payment is being checked",
            "您的付款正在核实",
            "A person is looking at it. If you have questions, ask the shop.",
            "工作人员正在核实。如有疑问，请联系商家。");

    /** What kind of news it is, which the page shows by a sign and a colour. */
    enum Tone {
        GOOD("✓"),
        WAITING("⋯"),
        BAD("✕"),
        /** With the selector of the text form, or phones show a coloured picture. */
        BACK("↩\uFE0E"),
        ATTENTION("!");

        private final String sign;

        Tone(String sign) {
            this.sign = sign;
        }

        String sign() {
            return sign;
        }
    }

    private final Tone tone;
    private final boolean mustNotPayAgain;
    private final String title;
    private final String chineseTitle;
    private final String text;
    private final String chineseText;

    PageState(Tone tone, boolean mustNotPayAgain, String title, String chineseTitle, String text, String chineseText) {
        this.tone = tone;
        this.mustNotPayAgain = mustNotPayAgain;
        this.title = title;
        this.chineseTitle = chineseTitle;
        this.text = text;
        this.chineseText = chineseText;
    }

    Tone tone() {
        return tone;
    }

    /** Whether money is in doubt or on its way back, so that another payment would be one too many. */
    static boolean mustNotPayAgain(OrderView order) {
        return of(order).mustNotPayAgain || order.hasBlockingAttempt();
    }

    String title(Language language) {
        return language.choose(title, chineseTitle);
    }

    String text(Language language) {
        return language.choose(text, chineseText);
    }

    /** Whether something else is expected within moments. */
    boolean isPassing() {
        return this == CONFIRMING || this == CALLING_OFF || this == CLOSING;
    }

    /** Whether the page looks again where there is no script: not where it would disturb who reads good news. */
    boolean refreshes() {
        return isPassing()
                || this == NOT_PAID
                || this == NOT_SUCCEEDED
                || this == NOT_FULFILLED
                || this == MONEY_GOES_BACK
                || this == UNDER_REVIEW;
    }

    /** Whether the time that is left to pay is shown. */
    boolean hasTime() {
        return this == NOT_PAID || this == CONFIRMING || this == NOT_SUCCEEDED;
    }

    static PageState of(OrderView order) {
        return switch (order.status()) {
            case PENDING -> pending(order);
            case PAID -> paid(order);
            case PARTIALLY_REFUNDED -> PARTLY_REFUNDED;
            case REFUNDED -> REFUNDED;
            case FAILED -> closed(order, FAILED);
            case EXPIRED -> closed(order, EXPIRED);
            case CANCELLED -> closed(order, CANCELLED);
        };
    }

    private static PageState pending(OrderView order) {
        if (order.calledOff()) {
            return CALLING_OFF;
        }
        if (any(order, status -> status == AttemptStatus.MANUAL_REVIEW)) {
            return UNDER_REVIEW;
        }
        if (any(order, status -> status.isLive() || status == AttemptStatus.SUCCEEDED)) {
            return CONFIRMING;
        }
        if (order.secondsLeft() == 0) {
            return CLOSING;
        }
        return order.attempts().isEmpty() ? NOT_PAID : NOT_SUCCEEDED;
    }

    private static PageState paid(OrderView order) {
        boolean rejected =
                order.refunds().stream().anyMatch(refund -> refund.reason() == RefundReason.FULFILMENT_FAILED);
        if (rejected || order.syncStatus() == SyncStatus.REJECTED) {
            return NOT_FULFILLED;
        }
        boolean twice = order.refunds().stream().anyMatch(refund -> refund.reason() == RefundReason.DOUBLE_PAYMENT);
        return twice ? PAID_TWICE : PAID;
    }

    /** Money that came for a closed order matters more than why it is closed. */
    private static PageState closed(OrderView order, PageState unpaid) {
        List<RefundStatus> refunds =
                order.refunds().stream().map(OrderView.Refund::status).toList();
        if (refunds.isEmpty()) {
            boolean received =
                    any(order, status -> status == AttemptStatus.SUCCEEDED || status == AttemptStatus.MANUAL_REVIEW);
            return received ? UNDER_REVIEW : unpaid;
        }
        if (refunds.contains(RefundStatus.FAILED) || refunds.contains(RefundStatus.MANUAL_REVIEW)) {
            return UNDER_REVIEW;
        }
        return refunds.stream().allMatch(RefundStatus.SUCCEEDED::equals) ? MONEY_WENT_BACK : MONEY_GOES_BACK;
    }

    private static boolean any(OrderView order, Predicate<AttemptStatus> status) {
        return order.attempts().stream().map(OrderView.Attempt::status).anyMatch(status);
    }
}
