package io.quittance.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class IdsTest {

    private static final String HEX = "01a22b75c9187f909c80e4205758b71e";

    @Property
    void hex_is_the_usual_text_without_dashes_and_is_read_back(@ForAll long high, @ForAll long low) {
        UUID id = new UUID(high, low);

        assertThat(Ids.hex(id)).isEqualTo(id.toString().replace("-", ""));
        assertThat(Ids.parseHex(Ids.hex(id))).contains(id);
    }

    @Test
    void nothing_else_is_an_id() {
        for (String other : List.of(
                "",
                HEX.substring(1),
                HEX + "0",
                HEX.replace('a', 'A'),
                HEX.replace('a', 'g'),
                HEX.replace('a', '\u0661'),
                "-" + HEX.substring(1),
                "+" + HEX.substring(1))) {
            assertThat(Ids.parseHex(other)).as(other).isEmpty();
        }
    }
}
