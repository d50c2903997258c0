package io.quittance.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One array parameter that grows row by row. */
final class Column<T> {

    private final List<@Nullable T> values = new ArrayList<>();
    private final IntFunction<T[]> array;

    Column(IntFunction<T[]> array) {
        this.array = array;
    }

    void add(@Nullable T value) {
        values.add(value);
    }

    T[] toArray() {
        return values.toArray(array);
    }
}
