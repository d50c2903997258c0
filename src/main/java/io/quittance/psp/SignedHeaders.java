package io.quittance.psp;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/** Reads the headers that a signature depends on. */
public final class SignedHeaders {

    private SignedHeaders() {}

    /**
     * The only value of a header, whose name is compared without case.
     *
     * @return empty if it is missing, empty or repeated: with two values, two readers may believe different ones
     */
    public static Optional<String> single(MultiMap headers, CharSequence name) {
        List<String> values = headers.getAll(name);
        return values.size() == 1 && !values.get(0).isEmpty() ? Optional.of(values.get(0)) : Optional.empty();
    }

    /**
     * A time stamp in whole seconds since 1970.
     *
     * @return minus one for anything but 1 to 12 ASCII digits
     */
    public static long epochSeconds(String text) {
        if (text.isEmpty() || text.length() > MAX_EPOCH_DIGITS) {
            return -1;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return -1;
            }
        }
        return Long.parseLong(text);
    }

    private static final int MAX_EPOCH_DIGITS = 12;
}
