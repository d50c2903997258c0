package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.testing.Services;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Who looks for what a PSP said of something, or for what became of an order, finds it without reading the whole log. */
class LogSearchTest {

    private static final String WRITE = """
            insert into callbacks (id, received_at, psp, account, part, reference, outcome, reason, key_label, body)
            select gen_random_uuid(), now(), 'stripe', 'acme', 0, 'ref-' || n, 'IGNORED', 'test', 'current', '%s'
            from generate_series(%d, %d) n
            """;

    private static final String SEARCH = "select count(*), min(received_at) from callbacks where reference = 'ref-%d'";

    private static final String DECIDE = """
            insert into audit_entries (order_id, actor, reason, steps)
            select lpad(n::text, 32, '0')::uuid, 'timer', '%s', '[["ORDER", "x", null, "PENDING"]]'
            from generate_series(%d, %d) n
            """;

    private static final String TRAIL =
            "select count(*), min(at) from audit_entries where order_id = lpad('%d', 32, '0')::uuid";

    @Test
    void notifications_are_found_by_reference_before_and_after_the_log_is_summed_up() throws SQLException {
        areFound("callbacks", WRITE, SEARCH);
    }

    @Test
    void the_trail_of_an_order_is_found_before_and_after_it_is_summed_up() throws SQLException {
        areFound("audit_entries", DECIDE, TRAIL);
    }

    private static void areFound(String log, String write, String search) throws SQLException {
        try (Connection connection = Services.connect(Services.freshDatabase());
                Statement server = connection.createStatement()) {
            String text = "x".repeat(600);
            server.execute(write.formatted(text, 1, 5_000));
            server.execute("vacuum " + log);
            server.execute(write.formatted(text, 4_901, 5_100));
            server.execute("set enable_seqscan = off");

            assertThat(found(server, search, 17)).isEqualTo(1);
            assertThat(found(server, search, 4_950)).isEqualTo(2);
            assertThat(found(server, search, 5_050)).isEqualTo(1);
            assertThat(found(server, search, 6_000)).isZero();
            assertThat(pagesRead(server, search, 17)).isLessThan(100);
        }
    }

    private static long found(Statement server, String search, int number) throws SQLException {
        try (ResultSet rows = server.executeQuery(search.formatted(number))) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Of the log itself, out of about 500. */
    private static long pagesRead(Statement server, String search, int number) throws SQLException {
        try (ResultSet rows = server.executeQuery(
                "explain (analyze, costs off, timing off, summary off) " + search.formatted(number))) {
            while (rows.next()) {
                String line = rows.getString(1).strip();
                if (line.startsWith("Heap Blocks: lossy=")) {
                    return Long.parseLong(line.substring("Heap Blocks: lossy=".length()));
                }
            }
        }
        throw new IllegalStateException("the search does not go by the summaries");
    }
}
