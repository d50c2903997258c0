package io.quittance.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StateGraphDocumentTest {

    private static final Path PAGE = Path.of("src/site/markdown/states.md");
    private static final String RENEW = "mvn test -Dtest=StateGraphDocumentTest -Dstates.write=true";

    static Iterable<StateMachine<?>> machines() {
        return StateGraph.all();
    }

    @Test
    void the_committed_page_shows_the_graph_that_the_code_obeys() throws IOException {
        String fresh = StateGraphDocument.render();
        if (Boolean.getBoolean("states.write")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, fresh);
        }

        assertThat(PAGE).as("renew it with: %s", RENEW).exists();
        assertThat(Files.readString(PAGE))
                .as("%s is stale; renew it with: %s", PAGE, RENEW)
                .isEqualTo(fresh);
    }

    @Test
    void says_that_it_is_generated_and_how() {
        assertThat(StateGraphDocument.render()).startsWith("<!-- Generated").contains(RENEW);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("machines")
    void every_state_is_drawn_and_every_edge_is_explained(StateMachine<?> machine) {
        String page = StateGraphDocument.render();
        String section = page.substring(page.indexOf("## " + machine.entity() + "\n"));

        assertThat(machine.initialStates()).isNotEmpty();
        for (Enum<?> start : machine.initialStates()) {
            assertThat(section).contains("    [*] --> " + start.name() + "\n");
        }
        machine.forEachEdge((from, to, when) -> {
            assertThat(when).isNotBlank();
            assertThat(section)
                    .contains("    " + from.name() + " --> " + to.name() + "\n")
                    .contains("| " + from.name() + " | " + to.name() + " | " + when + " |\n");
        });
        for (Enum<?> state : machine.type().getEnumConstants()) {
            assertThat(section).contains("--> " + state.name() + "\n");
        }
    }
}
