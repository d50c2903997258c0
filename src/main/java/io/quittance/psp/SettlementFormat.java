package io.quittance.psp;

import io.quittance.domain.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one kind of settlement file: what a PSP says, a day later, about the money that it moved. */
@FunctionalInterface
public interface SettlementFormat {

    /** Never throws, whatever the bytes. Nothing of a file is believed that is not understood as a whole. */
    Reading read(byte[] file);

    /** What became of the reading. */
    sealed interface Reading {}

    /**
     * A file that was understood, and whose rows agree with its own totals where it has some.
     *
     * @param lines in the file's order; rows that are no movement of a payer's money are left out
     */
    record SettlementFile(List<SettlementLine> lines) implements Reading {

        public SettlementFile {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A file that was not.
     *
     * @param row counted from 1 with every line of the file; 0 if it is about the whole file
     * @param problem the column and what is wrong with it, without the payer's data
     */
    record Unreadable(int row, String problem) implements Reading {}

    /**
     * One movement of a payer's money.
     *
     * @param row counted from 1 with every line of the file
     * @param reference the merchant's number of the payment as the file has it, if it has one
     * @param pspPaymentId the PSP's id of the payment
     * @param refundReference the merchant's number of the refund, if it is one and the file has it
     * @param pspRefundId the PSP's id of the refund, if it is one and the file has it
     * @param amount what moved, never negative: a refund's amount is what went back
     * @param at when it moved, if the file says it with a zone that is known
     * @param type the PSP's own word for the row
     */
    record SettlementLine(
            int row,
            Movement movement,
            @Nullable String reference,
            @Nullable String pspPaymentId,
            @Nullable String refundReference,
            @Nullable String pspRefundId,
            Money amount,
            @Nullable Instant at,
            String type) {}

    /** What a row says. */
    enum Movement {
        PAYMENT,
        REFUND,
        /** A refund that came back: the payer did not get it. */
        REFUND_REVERSED,
        /** Money that the payer's bank took back, or gave back, in a dispute. */
        DISPUTE
    }
}
