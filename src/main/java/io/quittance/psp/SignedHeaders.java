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
    public static Optional<String> single(MultiMap headers, String name) {
        List<String> values = headers.getAll(name);
        return values.size() == 1 && !values.get(0).isEmpty() ? Optional.of(values.get(0)) : Optional.empty();
    }

    /**
     * A time stamp in whole seconds since 1970.
     *
     * @return minus one for anything but 1 to 12 ASCII digits
     */
    public static long epochSeconds(String text) {
        boolean digits = !text.isEmpty()
                && text.length() <= MAX_EPOCH_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Long.parseLong(text) : -1;
    }

    private static final int MAX_EPOCH_DIGITS = 12;
}
