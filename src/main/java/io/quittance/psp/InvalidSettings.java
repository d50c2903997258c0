package io.quittance.psp;

import java.util.List;

/** An account's settings cannot be used. Lists every mistake, each naming its key and never a secret's value. */
public final class InvalidSettings extends RuntimeException {

    private final transient List<String> mistakes;

    public InvalidSettings(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    public List<String> mistakes() {
        return mistakes;
    }
}
