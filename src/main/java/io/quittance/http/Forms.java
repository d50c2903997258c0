package io.quittance.http;

import java.util.regex.Pattern;

/** The forms of names in requests. */
final class Forms {

    /** Order numbers and SKUs stand in paths, so they are never the path steps "." and "..". */
    static final Pattern NUMBER = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}");

    static final String NUMBER_IN_WORDS = "a string of 1 to 64 characters out of A-Z a-z 0-9 . _ -";

    static final Pattern ANY = Pattern.compile(".{1,64}");

    private Forms() {}
}
