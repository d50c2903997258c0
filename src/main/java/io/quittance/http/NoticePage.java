package io.quittance.http;

/** What a payer's browser is shown instead of a result. It says nothing about what exists here. */
enum NoticePage {
    NOT_RECOGNISED(
            PageState.Tone.ATTENTION,
            "We could not recognise this payment",
            "无法识别此付款",
            "Nothing was charged because of this page. Return to the shop to see your order.",
            "本页面不会产生任何扣款。请返回商家查看您的订单。"),
    NOT_NOW(
            PageState.Tone.WAITING,
            "We cannot look it up right now",
            "暂时无法查询",
            "If you have paid, your payment is not lost: do not pay again. Load this page again in a moment.",
            "如果您已付款，款项不会丢失，请勿重复支付。请稍后刷新本页。");

    private final PageState.Tone tone;
    private final String title;
    private final String chineseTitle;
    private final String text;
    private final String chineseText;

    NoticePage(PageState.Tone tone, String title, String chineseTitle, String text, String chineseText) {
        this.tone = tone;
        this.title = title;
        this.chineseTitle = chineseTitle;
        this.text = text;
        this.chineseText = chineseText;
    }

    Answer answer(int status, Language language) {
        String said = language.choose(title, chineseTitle);
        String main = Page.heading(tone, said) + "<p>" + Page.escape(language.choose(text, chineseText)) + "</p>\n";
        return Page.answer(status, language, said, main);
    }

    /** For what cannot be done now, or is broken here. */
    static Answer notNow(Language language) {
        return NOT_NOW.answer(503, language).retryAfter(Endpoint.RETRY_AFTER_SECONDS);
    }
}
