package io.quittance.psp.alipay;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable.Line;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a bill that begin with {@code #}: where the list begins and ends, and how many payments and refunds of
 * what sum there are. The wording of the sums stands in no documentation; where it is another one than this, they are not
 * compared.
 */
final class AlipayTotals {

    private static final Pattern PAYMENTS =
            Pattern.compile("#+交易合计：([0-9]{1,9})笔，商家实收共(-?[0-9.]{1,20})元.*", Pattern.DOTALL);
    private static final Pattern REFUNDS =
            Pattern.compile("#+退款合计：([0-9]{1,9})笔，商家实收退款共(-?[0-9.]{1,20})元.*", Pattern.DOTALL);

    private final Sum payments = new Sum("交易合计");
    private final Sum refunds = new Sum("退款合计");
    private boolean begun;
    private boolean ended;

    /** Takes a line that is not a row of the table; false if it is one. */
    boolean take(Line line) {
        if (!line.cells().get(0).startsWith("#")) {
            return false;
        }
        String text = String.join(",", line.cells());
        boolean end = text.contains("业务明细列表结束");
        ended |= end;
        begun |= !end && text.contains("业务明细列表");
        payments.take(PAYMENTS.matcher(text), line.number());
        refunds.take(REFUNDS.matcher(text), line.number());
        return true;
    }

    /** Whether the list has ended, after which there are no rows. */
    boolean ended() {
        return ended;
    }

    /** @param received as the row has it: less than nothing for a refund */
    void add(boolean isRefund, Money received) {
        (isRefund ? refunds : payments).add(received.minor());
    }

    /** What is wrong with the whole, once all of it was read. */
    Optional<Unreadable> problem() {
        if (begun && !ended) {
            return Optional.of(new Unreadable(0, "the line that ends the list is missing: the file was cut off"));
        }
        return payments.problem().or(refunds::problem);
    }

    /** One of the two sums: what the file says of it, and what its rows come to. */
    private static final class Sum {

        private final String name;
        private int count;
        private BigInteger fen = BigInteger.ZERO;
        private @Nullable Told told;

        /** @param fen null if what stands there is no amount */
        private record Told(int line, int count, @Nullable BigInteger fen) {}

        Sum(String name) {
            this.name = name;
        }

        void add(long moreFen) {
            count++;
            fen = fen.add(BigInteger.valueOf(moreFen));
        }

        void take(Matcher remark, int line) {
            if (remark.matches()) {
                Optional<Money> sum = AlipayAmounts.signed(remark.group(2));
                BigInteger toldFen =
                        sum.isEmpty() ? null : BigInteger.valueOf(sum.get().minor());
                told = new Told(line, Integer.parseInt(remark.group(1)), toldFen);
            }
        }

        Optional<Unreadable> problem() {
            if (told == null || (told.count == count && fen.equals(told.fen))) {
                return Optional.empty();
            }
            return Optional.of(new Unreadable(told.line, name + " is not the number and the sum of the rows"));
        }
    }
}
