package io.quittance.psp.sandbox;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Adyen's Settlement details report: what was paid and refunded so far, with a fee and the payout of each currency's rest
 * (docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report).
 */
final class AdyenReport {

    private static final List<String> HEADER = List.of(
            "Company Account",
            "Merchant Account",
            "Psp Reference",
            "Merchant Reference",
            "Payment Method",
            "Creation Date",
            "TimeZone",
            "Type",
            "Modification Reference",
            "Gross Currency",
            "Gross Debit (GC)",
            "Gross Credit (GC)",
            "Exchange Rate",
            "Net Currency",
            "Net Debit (NC)",
            "Net Credit (NC)",
            "Commission (NC)",
            "Markup (NC)",
            "Scheme Fees (NC)",
            "Interchange (NC)",
            "Payment Method Variant",
            "Modification Merchant Reference",
            "Batch Number",
            "Reserved4");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final String merchantAccount;
    private final int batch;

    /** @param batch the batch's number, which is also in the file's name */
    AdyenReport(String merchantAccount, int batch) {
        this.merchantAccount = merchantAccount;
        this.batch = batch;
    }

    /** @param trades of any state; those that are not paid are passed over */
    Buffer of(Stream<Trade> trades, Instant now) {
        List<String> rows = new ArrayList<>();
        rows.add(row(HEADER));
        List<Trade> paid = trades.filter(Trade::isPaid)
                .sorted(Comparator.comparing(Trade::whenPaid))
                .toList();
        for (Trade trade : paid) {
            rows.add(settled(trade));
            trade.refunds().forEach(refund -> rows.add(refunded(trade, refund)));
        }
        paid.stream()
                .map(trade -> trade.terms().currency())
                .distinct()
                .sorted()
                .forEach(currency -> rows.addAll(withoutPayment(currency, paid, now)));
        return Buffer.buffer(String.join("\r\n", rows) + "\r\n");
    }

    private String settled(Trade trade) {
        String gross =
                AdyenObjects.major(trade.terms().amountMinor(), trade.terms().currency());
        return movement(trade, trade.whenPaid(), "Settled", "", "", gross, "");
    }

    private String refunded(Trade trade, Refund refund) {
        String gross = AdyenObjects.major(refund.amountMinor(), trade.terms().currency());
        return movement(trade, refund.at(), "Refunded", refund.pspRefundId(), gross, "", refund.refundNo());
    }

    private String movement(
            Trade trade,
            Instant at,
            String type,
            String modification,
            String debit,
            String credit,
            String modificationMerchantReference) {
        String currency = trade.terms().currency();
        return row(List.of(
                "SandboxCompany",
                merchantAccount,
                trade.terms().pspPaymentId(),
                AdyenObjects.text(trade, AdyenObjects.REFERENCE),
                "visa",
                DATE.format(at),
                "UTC",
                type,
                modification,
                currency,
                debit,
                credit,
                "1",
                currency,
                debit,
                credit,
                "",
                "",
                "",
                "",
                "visaclassic",
                modificationMerchantReference,
                Integer.toString(batch),
                ""));
    }

    private List<String> withoutPayment(String currency, List<Trade> paid, Instant now) {
        long rest = paid.stream()
                .filter(trade -> trade.terms().currency().equals(currency))
                .mapToLong(Trade::refundableMinor)
                .sum();
        return List.of(
                other("Fee", currency, "0", now),
                other("MerchantPayout", currency, AdyenObjects.major(rest, currency), now));
    }

    private String other(String type, String currency, String net, Instant now) {
        List<String> fields = new ArrayList<>(Collections.nCopies(HEADER.size(), ""));
        fields.set(HEADER.indexOf("Company Account"), "SandboxCompany");
        fields.set(HEADER.indexOf("Merchant Account"), merchantAccount);
        fields.set(HEADER.indexOf("Creation Date"), DATE.format(now));
        fields.set(HEADER.indexOf("TimeZone"), "UTC");
        fields.set(HEADER.indexOf("Type"), type);
        fields.set(HEADER.indexOf("Net Currency"), currency);
        fields.set(HEADER.indexOf("Net Debit (NC)"), net);
        fields.set(HEADER.indexOf("Batch Number"), Integer.toString(batch));
        return row(fields);
    }

    /** Quoted where RFC 4180 wants it. */
    private static String row(List<String> fields) {
        return fields.stream()
                .map(field -> field.matches("[^\",\r\n]*") ? field : "\"" + field.replace("\"", "\"\"") + "\"")
                .collect(Collectors.joining(","));
    }
}
