package io.quittance.psp;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All accounts that are configured, by PSP and account name. They can be replaced while the gateway runs, so ask for an
 * adapter when it is needed and use the same one for the whole of a notification or a call.
 */
public final class Psps {

    private volatile Map<Key, PspAdapter> adapters;

    /** @throws IllegalArgumentException if two adapters have the same PSP and account name */
    public Psps(Collection<? extends PspAdapter> adapters) {
        this.adapters = byKey(adapters);
    }

    public Optional<PspAdapter> find(String psp, String account) {
        return Optional.ofNullable(adapters.get(new Key(psp, account)));
    }

    /** In the order of the configuration. */
    public List<PspAdapter> all() {
        return List.copyOf(adapters.values());
    }

    /**
     * Puts others in their place. What is under way ends with the adapter that it began with.
     *
     * @throws IllegalArgumentException if two adapters have the same PSP and account name; then nothing changes
     */
    public void replace(Collection<? extends PspAdapter> others) {
        adapters = byKey(others);
    }

    private static Map<Key, PspAdapter> byKey(Collection<? extends PspAdapter> adapters) {
        Map<Key, PspAdapter> byKey = new LinkedHashMap<>();
        for (PspAdapter adapter : adapters) {
            Key key = new Key(adapter.psp(), adapter.account());
            if (byKey.put(key, adapter) != null) {
                throw new IllegalArgumentException(
                        "two entries for psp " + key.psp + ", account " + key.account + ": names must differ");
            }
        }
        return byKey;
    }

    private record Key(String psp, String account) {}
}
