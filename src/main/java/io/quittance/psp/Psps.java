package io.quittance.psp;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All accounts that are configured, by PSP and account name. Immutable. */
public final class Psps {

    private final Map<Key, PspAdapter> adapters = new LinkedHashMap<>();

    /** @throws IllegalArgumentException if two adapters have the same PSP and account name */
    public Psps(Collection<? extends PspAdapter> adapters) {
        for (PspAdapter adapter : adapters) {
            Key key = new Key(adapter.psp(), adapter.account());
            if (this.adapters.put(key, adapter) != null) {
                throw new IllegalArgumentException(
                        "two entries for psp " + key.psp + ", account " + key.account + ": names must differ");
            }
        }
    }

    public Optional<PspAdapter> find(String psp, String account) {
        return Optional.ofNullable(adapters.get(new Key(psp, account)));
    }

    /** In the order of the configuration. */
    public List<PspAdapter> all() {
        return List.copyOf(adapters.values());
    }

    private record Key(String psp, String account) {}
}
