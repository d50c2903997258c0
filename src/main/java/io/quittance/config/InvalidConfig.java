package io.quittance.config;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The configuration cannot be used. Lists every mistake: where it is, what is wrong, and the way out. No secret's value
 * is in it.
 */
public final class InvalidConfig extends RuntimeException {

    private final transient List<String> mistakes;

    /** Mistakes that were found by somebody who knows more than this room, for example a PSP's adapter. */
    public InvalidConfig(String source, List<String> mistakes) {
        super(mistakes.stream()
                .map(mistake -> "\n  - " + mistake)
                .collect(Collectors.joining("", headline(source, mistakes), "")));
        this.mistakes = List.copyOf(mistakes);
    }

    public List<String> mistakes() {
        return mistakes;
    }

    private static String headline(String source, List<String> mistakes) {
        return source + (mistakes.size() == 1 ? " has a mistake:" : " has " + mistakes.size() + " mistakes:");
    }
}
