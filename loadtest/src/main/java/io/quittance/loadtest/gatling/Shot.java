package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.News;
import io.quittance.loadtest.sender.Notification;
import io.quittance.loadtest.sender.Sender;
import java.time.Instant;

/** A notification to be sent, signed when it is. */
record Shot(Sender sender, News news) {

    Notification signed() {
        return sender.sign(news, Instant.now());
    }
}
