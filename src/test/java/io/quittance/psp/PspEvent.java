package io.quittance.psp;

import java.util.List;

/**
 * A notification of one type, and what it means.
 *
 * @param name the PSP's own words for it
 * @param says each fact in one line, with the money that it is about and what does not fit; empty if it is not ours
 */
public record PspEvent(String name, PspAdapter adapter, RawNotification raw, List<String> says) {

    @Override
    public String toString() {
        return adapter.psp() + " " + name;
    }
}
