package io.quittance.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The languages that pages for payers are written in. */
enum Language {
    ENGLISH("en"),
    CHINESE("zh-CN");

    /** More than any browser sends; what follows is not looked at. */
    private static final int RANGES_MAX = 32;

    /** One language range with its quality (RFC 9110, sections 12.5.4 and 12.4.2). */
    private static final Pattern RANGE = Pattern.compile(
            "\\s*(\\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8}){0,8}\\s*(?:;\\s*[qQ]=(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)\\s*)?");

    private final String tag;

    Language(String tag) {
        this.tag = tag;
    }

    /** As it stands in HTML and in Content-Language. */
    String tag() {
        return tag;
    }

    /** The text in this language. */
    String choose(String english, String chinese) {
        return switch (this) {
            case ENGLISH -> english;
            case CHINESE -> chinese;
        };
    }

    /**
     * The one that the payer likes best; English if he says nothing that helps.
     *
     * @param acceptLanguage all values of that header; ranges that are not well-formed are passed over
     */
    static Language preferred(List<String> acceptLanguage) {
        Language best = ENGLISH;
        double bestQuality = 0;
        for (String range : String.join(",", acceptLanguage).split(",", RANGES_MAX + 1)) {
            Matcher read = RANGE.matcher(range);
            if (!read.matches()) {
                continue;
            }
            double quality = read.group(2) == null ? 1 : Double.parseDouble(read.group(2));
            Language named = named(read.group(1));
            if (named != null && quality > bestQuality) {
                best = named;
                bestQuality = quality;
            }
        }
        return best;
    }

    /** Null for a language that no page is written in. */
    private static @Nullable Language named(String primary) {
        return switch (primary.toLowerCase(Locale.ROOT)) {
            case "zh" -> CHINESE;
            case "en", "*" -> ENGLISH;
            default -> null;
        };
    }
}
