package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AwayTest {

    @ParameterizedTest
    @ValueSource(strings = {"08006", "40001", "40P01", "53300", "55P03", "57014", "57P01"})
    void what_the_database_says_of_now_passes(String sqlState) {
        assertThat(Away.understand(refused(sqlState))).isInstanceOf(Away.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22003", "23505", "23514", "42703"})
    void what_it_says_of_the_statement_does_not(String sqlState) {
        Throwable failure = refused(sqlState);

        assertThat(Away.understand(failure)).isSameAs(failure);
    }

    @ParameterizedTest
    @MethodSource
    void a_connection_that_fails_passes(Throwable failure) {
        assertThat(Away.understand(failure)).isInstanceOf(Away.class).hasCause(failure);
    }

    static Stream<Throwable> a_connection_that_fails_passes() {
        return Stream.of(
                new IOException("Connection reset"),
                new TimeoutException("no answer"),
                VertxException.noStackTrace("Connection is closed"));
    }

    @ParameterizedTest
    @MethodSource
    void a_fault_of_our_own_stays_one(Throwable failure) {
        assertThat(Away.understand(failure)).isSameAs(failure);
    }

    static Stream<Throwable> a_fault_of_our_own_stays_one() {
        return Stream.of(
                new AssertionError("never"),
                new IllegalArgumentException("no such account"),
                new NullPointerException(),
                new IndexOutOfBoundsException(3),
                new Away(new IOException("said before")));
    }

    private static PgException refused(String sqlState) {
        return new PgException("refused", "ERROR", sqlState, "");
    }
}
