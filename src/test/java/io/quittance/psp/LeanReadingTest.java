package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quittance.psp.Verification.Verified;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is sent, reading it takes no more memory than a few times its size. */
class LeanReadingTest {

    private static final int TIMES_SIZE_MAX = 4;

    /** What a notification costs however small it is: the signature's arithmetic most of all. */
    private static final long CONSTANT_BYTES_MAX = 64 * 1024;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static Stream<PspFixture> psps() {
        return PspAdapterContractTest.psps();
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_good_notification_is_read_within_four_times_its_size(PspFixture psp) {
        assertLean(psp, "good", psp.good());
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_hostile_body_is_read_within_four_times_its_size(PspFixture psp) {
        RawNotification good = psp.good();
        BodyFormat format = psp.adapter("https://api.example", null).notificationFormat();
        for (int bytes : new int[] {16 << 10, 256 << 10, 1 << 20}) {
            HostileBodies.of(format, bytes)
                    .forEach((name, body) -> assertLean(
                            psp,
                            name + ", " + body.length() + " bytes",
                            new RawNotification(good.headers(), body, good.receivedAt())));
        }
    }

    @ParameterizedTest
    @MethodSource("psps")
    void a_hostile_notification_that_the_psp_signed_is_read_within_four_times_its_size(PspFixture psp) {
        psp.hostile().forEach((name, raw) -> assertLean(psp, name, raw));
    }

    private static void assertLean(PspFixture psp, String what, RawNotification raw) {
        PspAdapter adapter = psp.adapter("https://api.example", null);
        long most = (long) TIMES_SIZE_MAX * raw.body().length() + CONSTANT_BYTES_MAX;
        assertThat(leastAllocatedBytes(() -> {
                    Verification verification = adapter.verify(raw);
                    adapter.translate(verification instanceof Verified verified ? verified : new Verified(raw, "key"));
                }))
                .as(psp + ", " + what)
                .isBetween(0L, most);
    }

    /** The first runs load classes, and any run may be charged with something that is not its own. */
    private static long leastAllocatedBytes(Runnable reading) {
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5; run++) {
            long before = THREADS.getThreadAllocatedBytes(thread);
            reading.run();
            least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }
}
