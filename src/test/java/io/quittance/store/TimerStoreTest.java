package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.Services;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TimerStoreTest {

    private static final String ORDER = "'0195b1c2-d3e4-7f5a-8b6c-7d8e9f0a1b2c'::uuid";
    private static final String DUE = "'2026-01-01T00:00:00Z'::timestamptz";

    private static final String OVERDUE = """
            insert into orders (id, merchant_id, order_no, status, amount_minor, currency, late_policy, takes_on_payment,
                                content_hash, expires_at, concluded_at)
            values (%1$s, 'acme', 'A-1', 'EXPIRED', 1999, 'CNY', 'REFUND', false, 'x', now() + interval '1 hour', now());
            insert into timers (order_id, due_at) values (%1$s, %2$s)
            """.formatted(ORDER, DUE);

    /** Each statement with values that fit the order. */
    static Set<Map.Entry<String, String>> alarms() {
        return Map.of(
                        TimerStore.SWEEP, "1",
                        TimerStore.CLAIM, "1, 1000, 1000, 1000",
                        TimerStore.POSTPONE, ORDER + ", " + DUE + ", 1000",
                        TimerStore.PUT_OFF, "array[" + ORDER + "], array[" + DUE + "], array[1000]",
                        TimerStore.UNTIL_END, ORDER + ", " + DUE + ", null",
                        TimerStore.REMOVE, ORDER + ", " + DUE)
                .entrySet();
    }

    @ParameterizedTest
    @MethodSource("alarms")
    void only_the_transaction_of_an_alarm_does_not_wait_for_the_disk(Map.Entry<String, String> alarm)
            throws SQLException {
        try (Connection connection = Services.connect(Services.freshDatabase());
                Statement server = connection.createStatement()) {
            server.execute(OVERDUE);
            connection.setAutoCommit(false);
            server.execute("prepare alarm as " + alarm.getKey());

            server.execute("execute alarm(" + alarm.getValue() + ")");
            assertThat(synchronousCommit(server)).isEqualTo("off");
            connection.commit();

            assertThat(synchronousCommit(server)).isEqualTo("on");
            connection.commit();
        }
    }

    private static String synchronousCommit(Statement server) throws SQLException {
        try (ResultSet row = server.executeQuery("show synchronous_commit")) {
            row.next();
            return row.getString(1);
        }
    }
}
