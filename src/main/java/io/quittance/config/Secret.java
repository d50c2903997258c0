package io.quittance.config;

/**
 * A text that must not be seen in logs, errors or dumps.
 *
 * @param reveal the text itself, for the one who uses it
 */
public record Secret(String reveal) {

    static final String REDACTED = "***";

    @Override
    public String toString() {
        return REDACTED;
    }
}
