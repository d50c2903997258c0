package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.Sender;
import java.util.List;

/**
 * The gateway under load.
 *
 * @param url without a slash at its end
 * @param account of all PSPs
 * @param postgresUri its database
 * @param senders the PSPs, with what they sign with
 */
record Site(String url, String account, String merchantKey, String postgresUri, List<Sender> senders) {

    String notifyPath(Sender sender) {
        return "/v1/notify/" + sender.psp() + "/" + account;
    }
}
