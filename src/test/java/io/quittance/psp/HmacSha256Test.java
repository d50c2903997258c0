package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HmacSha256Test {

    /** RFC 4231, test case 2. */
    private static final HmacSha256 JEFE = HmacSha256.of("Jefe".getBytes(StandardCharsets.US_ASCII));

    private static final byte[] QUESTION = "what do ya want for nothing?".getBytes(StandardCharsets.US_ASCII);
    private static final String CODE = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

    @Test
    void codes_are_those_of_the_rfc_as_often_as_one_asks_and_in_any_pieces() {
        assertThat(hex(JEFE.code(SignedBytes.of(QUESTION)))).isEqualTo(CODE);
        assertThat(hex(JEFE.code(sink -> {
                    sink.update(QUESTION, 0, 5);
                    sink.update(QUESTION, 5, QUESTION.length - 5);
                })))
                .isEqualTo(CODE);
    }

    @Test
    void a_message_that_fails_half_way_leaves_nothing_behind() {
        assertThatThrownBy(() -> JEFE.code(sink -> {
                    sink.update(QUESTION, 0, 5);
                    throw new IllegalArgumentException("cut off");
                }))
                .hasMessage("cut off");

        assertThat(hex(JEFE.code(SignedBytes.of(QUESTION)))).isEqualTo(CODE);
    }

    @Test
    void threads_that_are_in_the_middle_of_a_message_at_once_do_not_mix() throws Exception {
        CyclicBarrier inTheMiddle = new CyclicBarrier(2);
        Callable<String> one = () -> hex(JEFE.code(sink -> {
            sink.update(QUESTION, 0, 5);
            meet(inTheMiddle);
            sink.update(QUESTION, 5, QUESTION.length - 5);
            meet(inTheMiddle);
        }));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<String> first = threads.submit(one);
            Future<String> second = threads.submit(one);

            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(CODE);
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(CODE);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
