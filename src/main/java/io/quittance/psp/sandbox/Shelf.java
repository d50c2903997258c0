package io.quittance.psp.sandbox;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Things that were made and can be fetched for a while. Lives on the sandbox's thread. */
final class Shelf<T> {

    /** The oldest goes first: a development tool must not grow without end. */
    static final int THINGS_MAX = 100;

    private final Map<String, Thing<T>> things = new LinkedHashMap<>();

    private record Thing<T>(T value, Instant until) {}

    void put(String id, T value, Instant until) {
        if (things.size() == THINGS_MAX) {
            things.remove(things.keySet().iterator().next());
        }
        things.put(id, new Thing<>(value, until));
    }

    /** Empty if there never was such a thing, or its time is over. */
    Optional<T> get(String id, Instant now) {
        return Optional.ofNullable(things.get(id))
                .filter(thing -> now.isBefore(thing.until))
                .map(thing -> thing.value);
    }
}
