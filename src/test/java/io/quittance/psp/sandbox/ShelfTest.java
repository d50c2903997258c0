package io.quittance.psp.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ShelfTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final Shelf<Integer> shelf = new Shelf<>();

    @Test
    void what_was_put_there_is_there_until_its_time_is_over() {
        shelf.put("a", 1, NOW.plusSeconds(30));
        assertThat(shelf.get("a", NOW.plusMillis(29_999))).hasValue(1);
        assertThat(shelf.get("a", NOW.plusSeconds(30))).isEmpty();
        assertThat(shelf.get("b", NOW)).isEmpty();
    }

    @Test
    void the_oldest_goes_when_it_is_full() {
        for (int i = 0; i <= Shelf.THINGS_MAX; i++) {
            shelf.put("" + i, i, Instant.MAX);
        }
        assertThat(shelf.get("0", NOW)).isEmpty();
        assertThat(shelf.get("1", NOW)).hasValue(1);
        assertThat(shelf.get("" + Shelf.THINGS_MAX, NOW)).hasValue(Shelf.THINGS_MAX);
    }
}
