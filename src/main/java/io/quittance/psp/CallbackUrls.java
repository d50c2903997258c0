package io.quittance.psp;

import io.quittance.domain.Money;
import io.quittance.psp.PspAdapter.NewPayment;
import java.time.Instant;

/**
 * Where PSPs and payers' browsers come back to.
 *
 * @param publicUrl where this gateway is reached from outside, without a slash at the end
 */
public record CallbackUrls(String publicUrl) {

    /** Where an account's notifications go. */
    public String notifyUrl(String psp, String account) {
        return publicUrl + "/v1/notify/" + psp + "/" + account;
    }

    /** Where a payer's browser goes afterwards. */
    public String returnUrl(String psp, String account) {
        return publicUrl + "/v1/return/" + psp + "/" + account;
    }

    /**
     * A payment at an account, with the addresses that belong to it.
     *
     * @param attemptId 32 hex characters
     */
    public NewPayment payment(
            String psp, String account, String attemptId, String orderNo, Money amount, Instant expiresAt) {
        return new NewPayment(attemptId, orderNo, amount, expiresAt, notifyUrl(psp, account), returnUrl(psp, account));
    }
}
