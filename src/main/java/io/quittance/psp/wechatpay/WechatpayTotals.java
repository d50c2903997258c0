package io.quittance.psp.wechatpay;

import io.quittance.domain.Money;
import io.quittance.psp.CsvTable.Row;
import io.quittance.psp.SettlementFormat.Unreadable;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the rows of a bill come to, to be compared with the summary in its last two lines. */
final class WechatpayTotals {

    static final String COUNT = "总交易单数";

    /** Names in the summary, of all generations, and the columns that they are the sums of. Fees are not compared. */
    private static final Map<String, String> COLUMNS = new TreeMap<>(Map.of(
            "应结订单总金额", "应结订单金额",
            "退款总金额", "退款金额",
            "充值券退款总金额", "充值券退款金额",
            "订单总金额", "订单金额",
            "申请退款总金额", "申请退款金额",
            "总交易额", "总金额",
            "总退款金额", "退款金额",
            "总企业红包退款金额", "企业红包退款金额",
            "总代金券或立减优惠退款金额", "代金券或立减优惠退款金额"));

    /** Each once: some stand behind two names. */
    private static final Set<String> SUMMED = new TreeSet<>(COLUMNS.values());

    private final Map<String, BigInteger> fenByColumn = new TreeMap<>();
    private int rows;

    /** Says what is wrong if a cell that has to be added up is no amount. */
    Optional<Unreadable> add(Row row) {
        rows++;
        for (String column : SUMMED) {
            if (!row.has(column)) {
                continue;
            }
            Optional<Money> amount = row.amount(column, WechatpayAmounts.CURRENCY, WechatpayAmounts.EXPONENT);
            if (amount.isEmpty()) {
                return row.wrong(column, "is not an exact amount of yuan");
            }
            fenByColumn.put(
                    column, sum(column).add(BigInteger.valueOf(amount.get().minor())));
        }
        return Optional.empty();
    }

    /** Compares with the row of the summary. */
    Optional<Unreadable> compare(Row summary) {
        if (!summary.cell(COUNT).equals(Integer.toString(rows))) {
            return summary.wrong(COUNT, "is not the number of the rows, which is " + rows);
        }
        for (Map.Entry<String, String> sum : COLUMNS.entrySet()) {
            if (summary.has(sum.getKey()) && !isSum(summary, sum.getKey(), sum.getValue())) {
                return summary.wrong(sum.getKey(), "is not the sum of " + sum.getValue());
            }
        }
        return Optional.empty();
    }

    private boolean isSum(Row summary, String name, String column) {
        return summary.amount(name, WechatpayAmounts.CURRENCY, WechatpayAmounts.EXPONENT)
                .map(Money::minor)
                .map(BigInteger::valueOf)
                .filter(sum(column)::equals)
                .isPresent();
    }

    /** A column that is not there has no sum, as in bills of payments alone, whose summary may speak of refunds. */
    private BigInteger sum(String column) {
        return fenByColumn.getOrDefault(column, BigInteger.ZERO);
    }
}
