package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {

    /** Where Linux begins with the ports of connections on their way out; others begin higher. */
    private static final int CONNECTIONS_FROM = 32_768;

    private static final int TRIES = 200;

    @Test
    void no_port_is_chosen_that_a_connection_could_take_before_its_server_comes() {
        Set<Integer> chosen = new HashSet<>();
        for (int i = 0; i < TRIES; i++) {
            chosen.add(LoopbackPorts.free());
        }

        assertThat(chosen)
                .as("no port twice, and none of a connection")
                .hasSize(TRIES)
                .allMatch(port -> port > 0 && port < CONNECTIONS_FROM);
    }

    @Test
    void a_port_that_is_listened_on_is_not_chosen() throws IOException {
        int first = LoopbackPorts.free();
        int next = first + 1 < LoopbackPorts.END ? first + 1 : LoopbackPorts.FIRST;
        try (ServerSocket ours = new ServerSocket()) {
            try {
                ours.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), next));
            } catch (BindException somebodyElseListens) {
                assertThat(somebodyElseListens).hasMessageContaining("in use");
            }
            assertThat(LoopbackPorts.free()).isNotEqualTo(next);
        }
    }
}
