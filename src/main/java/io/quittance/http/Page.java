package io.quittance.http;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/** The frame of all pages for payers: without cookies and anything from elsewhere, and never kept. */
final class Page {

    private static final String STYLE = """
            :root{color-scheme:light dark;--bg:#f3f4f6;--card:#fff;--text:#111827;--soft:#4b5563;--line:#e5e7eb;
            --good:#15803d;--bad:#b91c1c;--waiting:#1d4ed8;--back:#6d28d9;--attention:#b45309}
            @media (prefers-color-scheme:dark){:root{--bg:#111827;--card:#1f2937;--text:#f9fafb;--soft:#d1d5db;
            --line:#374151;--good:#4ade80;--bad:#f87171;--waiting:#93c5fd;--back:#c4b5fd;--attention:#fbbf24}}
            *{box-sizing:border-box}
            body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;padding:1rem;
            background:var(--bg);color:var(--text);font:1.0625rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,
            "PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
            main{width:100%;max-width:26rem;padding:2.25rem 1.5rem 1.75rem;background:var(--card);border-radius:1rem;
            border:1px solid var(--line);text-align:center}
            .sign{display:flex;align-items:center;justify-content:center;width:4rem;height:4rem;margin:0 auto 1.25rem;
            border:3px solid currentColor;border-radius:50%;font-size:1.75rem;font-weight:700;line-height:1}
            .good{color:var(--good)}.bad{color:var(--bad)}.waiting{color:var(--waiting)}
            .back{color:var(--back)}.attention{color:var(--attention)}
            h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;text-wrap:balance}
            p{margin:0 0 .75rem;color:var(--soft);text-wrap:balance}
            .warning{color:var(--text);font-weight:700}
            dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1rem;margin:1.5rem 0 0;padding-top:1.25rem;
            border-top:1px solid var(--line);text-align:start}
            dt{color:var(--soft)}
            dd{margin:0;text-align:end;font-weight:600;overflow-wrap:anywhere}
            a{display:inline-block;margin-top:1.25rem;padding:.5rem 1rem;color:var(--waiting)}
            .time{margin:1.25rem 0 0;font-variant-numeric:tabular-nums}
            .time span{color:var(--text);font-weight:700}
            [hidden]{display:none}
            """;

    /** Nothing may be loaded or run, and nothing shown around it; the one style is known by its hash. */
    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; style-src " + source(STYLE)
            + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The same, with the one script, which may ask this gateway. */
    private static final String LIVE_CONTENT_SECURITY_POLICY =
            CONTENT_SECURITY_POLICY + "; script-src " + source(PageScript.TEXT) + "; connect-src 'self'";

    private Page() {}

    private static String source(String text) {
        byte[] hash = Digests.sha256(text.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    }

    /**
     * A page that stays as it is.
     *
     * @param main what is on it, in HTML
     */
    static Answer answer(int status, Language language, String title, String main) {
        return framed(status, language, html(language, title, "", "", main, ""), CONTENT_SECURITY_POLICY);
    }

    /**
     * A page that turns by itself.
     *
     * @param head further elements of the head, in HTML
     * @param attributes of the main element, for the script
     * @param main what is on it, in HTML
     */
    static Answer live(Language language, String title, String head, String attributes, String main) {
        String script = "<script>" + PageScript.TEXT + "</script>\n";
        return framed(
                200, language, html(language, title, head, attributes, main, script), LIVE_CONTENT_SECURITY_POLICY);
    }

    private static String html(
            Language language, String title, String head, String attributes, String main, String script) {
        return """
                <!doctype html>
                <html lang="%s">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="robots" content="noindex">
                %s<title>%s</title>
                <style>%s</style>
                </head>
                <body>
                <main%s>
                %s</main>
                %s</body>
                </html>
                """.formatted(language.tag(), head, escape(title), STYLE, attributes, main, script);
    }

    private static Answer framed(int status, Language language, String html, String policy) {
        return unkept(Answer.of(status, "text/html; charset=utf-8", Buffer.buffer(html)))
                .with("Content-Language", language.tag())
                .with("Vary", "Accept, Accept-Language")
                .with("Content-Security-Policy", policy)
                .with("X-Content-Type-Options", "nosniff");
    }

    /** An answer that is not stored on the way, and whose address is not told to whatever comes after it. */
    static Answer unkept(Answer answer) {
        return answer.with("Cache-Control", "no-store").with("Referrer-Policy", "no-referrer");
    }

    /** A sign with a heading, in HTML. */
    static String heading(PageState.Tone tone, String title) {
        return """
                <div class="sign %s" aria-hidden="true">%s</div>
                <h1>%s</h1>
                """.formatted(tone.name().toLowerCase(Locale.ROOT), tone.sign(), escape(title));
    }

    /** Text as it may stand in HTML, between tags and in quoted attributes. */
    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
