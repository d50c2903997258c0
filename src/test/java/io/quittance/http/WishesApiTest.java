package io.quittance.http;

import static io.quittance.http.OrdersApiTest.assertProblem;
import static io.quittance.http.OrdersApiTest.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.quittance.domain.RefundReason;
import io.quittance.domain.RefundStatus;
import io.quittance.domain.SyncStatus;
import io.quittance.message.Checkout.CallOff;
import io.quittance.message.Checkout.WantRefund;
import io.quittance.message.Checkout.WishAnswer;
import io.quittance.store.OrderView;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WishesApiTest {

    private static final String REFUND = "0199c0de4a6b7c8d9e0f1a2b3c4d5e70";
    private static final Money FIVE = new Money(500, "CNY");

    private Gateway gateway;

    @BeforeEach
    void start() {
        gateway = new Gateway();
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void an_order_that_is_called_off_is_shown_and_one_that_is_being_called_off_is_202() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.Granted(true, null));
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(order(OrderStatus.CANCELLED, null)));
        HttpResponse<String> done = cancel();
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(order(OrderStatus.PENDING, null)));
        HttpResponse<String> underWay = cancel();

        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(Gateway.json(done).getString("status")).isEqualTo("CANCELLED");
        assertThat(underWay.statusCode()).isEqualTo(202);
        assertThat(gateway.asked).containsExactly(new CallOff("acme", "A-1"), new CallOff("acme", "A-1"));
    }

    @Test
    void an_order_that_is_paid_or_not_theirs_cannot_be_called_off() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.Refused("the order is already PAID"));
        HttpResponse<String> paid = cancel();
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.NoSuchOrder());
        HttpResponse<String> missing = cancel();

        assertProblem(paid, 409, "not-cancellable");
        assertThat(Gateway.json(paid).getString("detail")).contains("already PAID", "/v1/orders/A-1/refunds");
        assertProblem(missing, 404, "not-found");
    }

    @Test
    void a_refund_is_201_the_first_time_and_200_afterwards() throws Exception {
        gateway.orders = orderNo -> Future.succeededFuture(Optional.of(refunded()));
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.Granted(true, REFUND));
        HttpResponse<String> first =
                refund("{\"refund_no\":\"R-1\",\"amount\":{\"value\":\"5.00\",\"currency\":\"CNY\"}}");
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.Granted(false, REFUND));
        HttpResponse<String> again = refund("{\"refund_no\":\"R-1\"}");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(Gateway.json(first)).isEqualTo(Gateway.json(again)).isEqualTo(new JsonObject("""
                        {"id": "0199c0de4a6b7c8d9e0f1a2b3c4d5e70", "refund_no": "R-1", "status": "REQUESTED",
                         "amount": {"value": "5.00", "currency": "CNY"}, "reason": "MERCHANT_REQUEST"}
                        """));
        assertThat(gateway.asked)
                .containsExactly(
                        new WantRefund("acme", "A-1", "R-1", FIVE), new WantRefund("acme", "A-1", "R-1", null));
    }

    @Test
    void what_cannot_be_sent_back_is_refused_with_the_reason() throws Exception {
        gateway.checkout = request -> Future.succeededFuture(new WishAnswer.Refused("less is left to be refunded"));

        HttpResponse<String> response = refund("{\"refund_no\":\"R-1\"}");

        assertProblem(response, 409, "not-refundable");
        assertThat(Gateway.json(response).getString("detail")).contains("less is left");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"refund_no\":\"\"}",
                "{\"refund_no\":\"a b\"}",
                "{\"refund_no\":7}",
                "{\"refund_no\":\"R-1\",\"amount\":5}",
                "{\"refund_no\":\"R-1\",\"amount\":{\"value\":5.00,\"currency\":\"CNY\"}}",
                "{\"refund_no\":\"R-1\",\"amount\":{\"value\":\"0\",\"currency\":\"CNY\"}}",
                "{\"refund_no\":\"R-1\",\"amount\":{\"value\":\"-5.00\",\"currency\":\"CNY\"}}",
                "{\"refund_no\":\"R-1\",\"amount\":{\"value\":\"5.001\",\"currency\":\"CNY\"}}",
                "{\"refund_no\":\"R-1\",\"amount\":{\"value\":\"5.00\",\"currency\":\"XXX\"}}",
                "{\"refund_no\":\"R-1\",\"amout\":{\"value\":\"5.00\",\"currency\":\"CNY\"}}",
            })
    void a_refund_with_a_mistake_is_refused_and_nobody_is_asked(String body) throws Exception {
        assertProblem(refund(body), 422, "invalid");
        assertThat(gateway.asked).isEmpty();
    }

    private HttpResponse<String> cancel() throws Exception {
        return gateway.send(gateway.merchant("/v1/orders/A-1/cancel").POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> refund(String body) throws Exception {
        return gateway.post("/v1/orders/A-1/refunds", body);
    }

    private static OrderView refunded() {
        OrderView paid = order(OrderStatus.PAID, SyncStatus.COMPLETED);
        return new OrderView(
                paid.id(),
                paid.orderNo(),
                paid.status(),
                paid.syncStatus(),
                paid.thirdPartyId(),
                paid.amount(),
                paid.expiresAt(),
                paid.secondsLeft(),
                paid.calledOff(),
                paid.attempts(),
                List.of(new OrderView.Refund(REFUND, RefundStatus.REQUESTED, FIVE, RefundReason.MERCHANT_REQUEST)));
    }
}
