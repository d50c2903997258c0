package io.quittance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import io.quittance.http.NotifyCounters.Reason;
import io.quittance.testing.Logs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only shows byte by byte. */
class NotifySocketTest {

    private static final String BODY = "{\"id\":\"evt-1\",\"facts\":1}";
    private static final int CHUNK = 64 * 1024;

    private Gateway gateway;
    private Logs logs;

    @BeforeEach
    void start() {
        logs = new Logs();
        gateway = new Gateway();
    }

    @AfterEach
    void stop() {
        gateway.close();
        logs.close();
    }

    @Test
    @FaultOfOthers(
            value = "yansongda/pay#685",
            symptom = "the acknowledgement is never written, and the notification comes again and again")
    @FaultOfOthers(value = "laravel-pay#90", symptom = "a byte order mark stands before the acknowledgement")
    void the_acknowledgement_is_exactly_what_the_psp_expects() throws Exception {
        String answer = gateway.exchange(head("fake", "Content-Length: " + BODY.length()) + BODY);

        assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nsuccess");
        assertThat(answer.lines())
                .contains("Content-Type: text/plain; charset=utf-8", "content-length: 7")
                .hasSize(6);
    }

    @Test
    void an_acknowledgement_without_a_body_has_none() throws Exception {
        String answer = gateway.exchange(head("quiet", "Content-Length: " + BODY.length()) + BODY);

        assertThat(answer).startsWith("HTTP/1.1 204 No Content\r\n").endsWith("\r\n\r\n");
        assertThat(answer.toLowerCase(java.util.Locale.ROOT)).doesNotContain("content-length");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-SIGNATURE", "x-signature", "x-SiGnAtUrE"})
    @FaultOfOthers(
            value = "grammY#900",
            symptom = "a header is looked for in one way of writing it, and a proxy writes it in another")
    void header_names_are_found_in_any_case(String name) throws Exception {
        String head = "POST /v1/notify/fake/acme HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + name
                + ": right\r\nContent-Length: " + BODY.length() + "\r\n\r\n";

        assertThat(gateway.exchange(head + BODY)).startsWith("HTTP/1.1 200");
    }

    @Test
    void a_body_in_chunks_is_put_together() throws Exception {
        String chunked = "5\r\n{\"id\"\r\n" + Integer.toHexString(BODY.length() - 5) + "\r\n" + BODY.substring(5)
                + "\r\n0\r\n\r\n";

        assertThat(gateway.exchange(head("fake", "Transfer-Encoding: chunked") + chunked))
                .startsWith("HTTP/1.1 200");
        assertThat(gateway.submitted.get(0).delivery().body().toString()).isEqualTo(BODY);
    }

    @Test
    void a_body_of_exactly_the_limit_is_taken() throws Exception {
        String body = BODY + " ".repeat(Gateway.BODY_LIMIT - BODY.length());

        assertThat(gateway.exchange(head("fake", "Content-Length: " + body.length()) + body))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void a_length_above_the_limit_is_refused_before_any_of_the_body_is_sent() throws Exception {
        try (Socket socket = gateway.socket()) {
            socket.getOutputStream()
                    .write(head("fake", "Content-Length: " + (Gateway.BODY_LIMIT + 1))
                            .getBytes(StandardCharsets.ISO_8859_1));

            assertThat(readAll(socket)).startsWith("HTTP/1.1 413").contains("problem+json");
        }
        assertThat(gateway.counted("fake", Reason.BODY_TOO_LARGE)).isEqualTo(1);
        assertThat(gateway.fake.seen).hasNullValue();
    }

    @Test
    void a_length_above_every_number_is_refused() throws Exception {
        assertThat(gateway.exchange(head("fake", "Content-Length: 99999999999999999999999")))
                .startsWith("HTTP/1.1 4");
        assertThat(logs.withStackTrace()).isEmpty();
    }

    @Test
    @FaultOfOthers(
            value = "monetr/monetr PR#3093",
            symptom = "a body without end is kept in memory before its signature is looked at")
    void endless_chunks_are_refused_and_the_connection_is_closed() throws Exception {
        byte[] chunk = ("10000\r\n" + "x".repeat(CHUNK) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        try (Socket socket = gateway.socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(head("fake", "Transfer-Encoding: chunked").getBytes(StandardCharsets.ISO_8859_1));
            int sent = 0;
            while (socket.getInputStream().available() == 0) {
                out.write(chunk);
                sent++;
                assertThat(sent).as("chunks taken without an answer").isLessThan(2_000);
            }

            assertThat(readAll(socket)).startsWith("HTTP/1.1 413").containsIgnoringCase("connection: close");
        }
        assertThat(gateway.fake.seen).hasNullValue();
        assertThat(gateway.counted("fake", Reason.BODY_TOO_LARGE)).isEqualTo(1);
        assertThat(gateway.counters.inFlight()).isZero();
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    void a_sender_that_waits_to_be_asked_for_the_body_is_asked() throws Exception {
        try (Socket socket = gateway.socket()) {
            OutputStream out = socket.getOutputStream();
            out.write(head("fake", "Expect: 100-continue\r\nContent-Length: " + BODY.length())
                    .getBytes(StandardCharsets.ISO_8859_1));
            byte[] interim = socket.getInputStream().readNBytes("HTTP/1.1 100 Continue\r\n\r\n".length());
            out.write(BODY.getBytes(StandardCharsets.ISO_8859_1));

            assertThat(new String(interim, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 100");
            assertThat(readAll(socket)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void a_sender_that_goes_away_in_the_middle_leaves_nothing_behind() throws Exception {
        try (Socket socket = gateway.socket()) {
            socket.getOutputStream()
                    .write((head("fake", "Content-Length: 100") + "{\"id\"").getBytes(StandardCharsets.ISO_8859_1));
            until(() -> gateway.counters.inFlight() == 1);
        }

        until(() -> gateway.counted("fake", Reason.ABANDONED) == 1);
        until(() -> gateway.counters.inFlight() == 0);
        assertThat(gateway.submitted).isEmpty();
        assertThat(logs.lines()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000\u0001garbage\r\n\r\n",
                "POST\r\n\r\n",
                "POST /v1/notify/%zz/acme HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                "POST /v1/notify/fake/acme HTTP/9.9\r\nHost: x\r\n\r\n",
                "POST /v1/notify/fake/acme HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "POST /v1/notify/fake/acme HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
                "POST /v1/notify/fake/acme HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            })
    void what_is_hardly_http_gets_an_error_or_a_closed_connection_and_no_stack_trace(String bytes) throws Exception {
        try (Socket socket = gateway.socket()) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();

            assertThat(readAll(socket)).matches("(?s)|HTTP/... [45].*");
        }
        assertThat(gateway.submitted).isEmpty();
        assertThat(logs.withStackTrace()).isEmpty();
    }

    @Test
    void a_head_beyond_the_limit_is_refused() throws Exception {
        assertThat(gateway.exchange(
                        "POST /v1/notify/fake/acme HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(17_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 431");
        assertThat(logs.withStackTrace()).isEmpty();
    }

    @Test
    void a_connection_that_stays_silent_is_closed() throws Exception {
        try (Gateway impatient = new Gateway(Gateway.LIVE, Duration.ofMillis(100));
                Socket silent = new Socket(InetAddress.getLoopbackAddress(), impatient.http.actualPort())) {
            silent.setSoTimeout(20_000);

            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static String head(String psp, String more) {
        return "POST /v1/notify/" + psp + "/acme HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Signature: right\r\n"
                + more + "\r\n\r\n";
    }

    private static String readAll(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Another thread is about to make it so; there is no signal to wait for. */
    private static void until(java.util.function.BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
