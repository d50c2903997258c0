package io.quittance.store;

import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Array;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types of the columns that go to the database as arrays. */
enum ColumnType {
    UUID(java.util.UUID.class),
    TEXT(String.class),
    INT(Integer.class),
    SMALLINT(Short.class),
    BIGINT(Long.class),
    BOOLEAN(Boolean.class),
    TIMESTAMPTZ(OffsetDateTime.class),
    BYTEA(Buffer.class);

    private final Class<?> type;
    private final String sql = name().toLowerCase(Locale.ROOT);

    ColumnType(Class<?> type) {
        this.type = type;
    }

    String sql() {
        return sql;
    }

    /**
     * One column of these rows.
     *
     * @throws ArrayStoreException if a value is of another type
     */
    Object[] column(List<@Nullable Object[]> rows, int column) {
        Object[] values = (Object[]) Array.newInstance(type, rows.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = rows.get(i)[column];
        }
        return values;
    }
}
