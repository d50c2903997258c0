package io.quittance.message;

import io.quittance.domain.AttemptStatus;
import io.quittance.domain.LatePolicy;
import io.quittance.domain.Money;
import io.quittance.domain.OrderStatus;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a merchant's server asks for. Fields are already valid in form; what remains are questions of state. */
public final class Checkout {

    private Checkout() {}

    /** How a product's stock is kept. */
    public enum Strategy {
        /** A number of alike pieces; an order holds its quantity from the start. */
        STOCK,
        /** One piece, held by one order at a time. */
        UNIQUE,
        /** Taken when the order is paid; refunded if none is left. */
        ON_PAYMENT
    }

    /** Creates a product, or changes how much of it is supplied. */
    public record PutProduct(String merchantId, String sku, Strategy strategy, long supplied)
            implements Request<ProductAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /** The answer to {@link PutProduct}. */
    public sealed interface ProductAnswer {
        /** It is so now. */
        record Kept(String sku, Strategy strategy, long supplied, long available) implements ProductAnswer {}

        /** It cannot be so. */
        record Refused(String detail) implements ProductAnswer {}
    }

    /** A quantity of one product. */
    public record Item(String sku, long quantity) {}

    /** Places an order and takes its holds in one transaction. */
    public record PlaceOrder(
            String merchantId,
            String orderNo,
            Money amount,
            List<Item> items,
            Duration expiresIn,
            LatePolicy latePolicy)
            implements Request<OrderAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /** The answer to {@link PlaceOrder}. */
    public sealed interface OrderAnswer {
        /** It stands; created is false if it stood before with the same content. */
        record Placed(UUID orderId, boolean created) implements OrderAnswer {}

        /** An order of this number with other content exists. */
        record OtherContent() implements OrderAnswer {}

        /** No such product. */
        record UnknownProduct(String sku) implements OrderAnswer {}

        /** Too little is left. */
        record OutOfStock(String sku) implements OrderAnswer {}
    }

    /** Opens an attempt to pay an order and creates the payment at the PSP. */
    public record OpenAttempt(String merchantId, String orderNo, String psp, String account)
            implements Request<AttemptAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /** The answer to {@link OpenAttempt}. */
    public sealed interface AttemptAnswer {
        /**
         * It is open.
         *
         * @param status UNKNOWN if the PSP gave no answer: it will be asked again, and the payer must not start over
         * @param pay what the payer's device needs; empty if nothing is known yet
         * @param sessionEnds when the PSP stops taking this payment, if it said so
         */
        record Opened(
                String attemptId,
                AttemptStatus status,
                @Nullable String pspPaymentId,
                JsonObject pay,
                @Nullable Instant sessionEnds)
                implements AttemptAnswer {}

        /** No such order of this merchant. */
        record NoSuchOrder() implements AttemptAnswer {}

        /** The order is concluded; or it is PENDING, and its time is over or its merchant called it off. */
        record NotPayable(OrderStatus status) implements AttemptAnswer {}

        /** Another attempt may still be paid. */
        record AlreadyLive(String attemptId, AttemptStatus status) implements AttemptAnswer {}

        /**
         * The order has had as many attempts as an order may have.
         *
         * @param attemptsMax how many that is
         */
        record TooMany(int attemptsMax) implements AttemptAnswer {}
    }

    /** Calls an order off. */
    public record CallOff(String merchantId, String orderNo) implements Request<WishAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /**
     * Sends money of a paid order back.
     *
     * @param refundNo the merchant's own number of the refund: the same one twice is the same refund
     * @param amount all that is left if it is absent
     */
    public record WantRefund(
            String merchantId,
            String orderNo,
            String refundNo,
            @Nullable Money amount) implements Request<WishAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /** The answer to {@link CallOff} and {@link WantRefund}. */
    public sealed interface WishAnswer {
        /**
         * It is so, or will be as soon as the PSP has its say.
         *
         * @param first whether it was asked for the first time
         * @param id of the refund, in 32 hex characters, if it was about one
         */
        record Granted(boolean first, @Nullable String id) implements WishAnswer {}

        /** No such order of this merchant. */
        record NoSuchOrder() implements WishAnswer {}

        /**
         * It cannot be.
         *
         * @param why in words for the merchant
         */
        record Refused(String why) implements WishAnswer {}
    }

    /**
     * Reserves an Idempotency-Key for a request with this content.
     *
     * @param requestHash SHA-256 of the request, in hex
     */
    public record BeginKey(String merchantId, String key, String requestHash) implements Request<KeyAnswer> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }

    /** The answer to {@link BeginKey}. */
    public sealed interface KeyAnswer {
        /** Go on, and tell the answer with {@link EndKey}. */
        record Fresh() implements KeyAnswer {}

        /** This was answered before, like this. */
        record Replay(int status, String body) implements KeyAnswer {}

        /** The key was used with other content. */
        record OtherRequest() implements KeyAnswer {}

        /** The first request with this key is not answered yet. */
        record InProgress() implements KeyAnswer {}
    }

    /** Keeps the answer under its Idempotency-Key, or gives the key back if there is none worth keeping. */
    public record EndKey(
            String merchantId,
            String key,
            @Nullable Integer status,
            @Nullable String body) implements Request<Boolean> {
        @Override
        public String address() {
            return Addresses.CHECKOUT;
        }
    }
}
