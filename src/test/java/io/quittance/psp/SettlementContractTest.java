package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.Reading;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.SettlementFormat.Unreadable;
import io.quittance.psp.alipay.AlipayBills;
import io.quittance.psp.stripe.StripeReports;
import io.quittance.psp.wechatpay.WechatpayBills;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for the settlement files of every PSP. */
class SettlementContractTest {

    private static final int TRIES = 2_000;

    static Stream<Arguments> psps() {
        return Stream.of(
                Arguments.of(Named.of("stripe", StripeReports.reader()), StripeReports.good()),
                Arguments.of(Named.of("alipay", AlipayBills.reader()), AlipayBills.good()),
                Arguments.of(Named.of("wechatpay", WechatpayBills.reader()), WechatpayBills.good()));
    }

    @ParameterizedTest
    @MethodSource("psps")
    void one_payment_and_two_refunds_of_it_are_read(SettlementFormat reader, byte[] good) {
        List<SettlementLine> lines = ((SettlementFile) reader.read(good)).lines();
        assertThat(lines)
                .extracting(SettlementLine::movement)
                .containsExactly(Movement.PAYMENT, Movement.REFUND, Movement.REFUND);
        assertThat(lines).extracting(SettlementLine::reference).containsOnly(PspFixture.ATTEMPT);
        assertThat(lines).extracting(line -> line.amount().minor()).containsExactly(1_999L, 500L, 99L);
        assertThat(lines.get(1).refundReference()).isEqualTo(PspFixture.REFUND);
    }

    @ParameterizedTest
    @MethodSource("psps")
    void whatever_the_bytes_nothing_is_thrown_and_no_amount_is_below_nothing(SettlementFormat reader, byte[] good) {
        long seed = Long.getLong("settlement.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < TRIES; i++) {
            byte[] changed = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
            for (int flips = random.nextInt(4); flips > 0 && changed.length > 0; flips--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            Reading reading = reader.read(changed);
            if (reading instanceof SettlementFile file) {
                assertThat(file.lines())
                        .as("seed %d", seed)
                        .allMatch(line -> line.amount().minor() >= 0);
            } else {
                assertThat(((Unreadable) reading).problem()).as("seed %d", seed).isNotEmpty();
            }
        }
    }
}
