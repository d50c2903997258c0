package io.quittance.http;

import io.quittance.message.Bus;
import io.quittance.message.Checkout.ProductAnswer;
import io.quittance.message.Checkout.PutProduct;
import io.quittance.message.Checkout.Strategy;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** PUT /v1/products/{sku}. */
final class Products {

    static final long SUPPLIED_MAX = 1_000_000_000;

    private final Bus bus;

    Products(Bus bus) {
        this.bus = bus;
    }

    Future<Answer> put(Call call) {
        String sku = call.parameter("sku");
        Members body = call.members();
        Optional<Strategy> strategy = body.oneOf("strategy", Strategy.class);
        long supplied = body.whole("supplied", 0, SUPPLIED_MAX);
        body.nothingElse();
        if (strategy.filter(Strategy.UNIQUE::equals).isPresent() && supplied > 1) {
            body.mistake("supplied", "is above 1; wanted: 0 or 1 for a product that is UNIQUE");
        }
        if (!Forms.NUMBER.matcher(sku).matches()) {
            body.mistake("sku", "in the path does not have the right form; wanted: " + Forms.NUMBER_IN_WORDS);
        }
        if (strategy.isEmpty() || !body.mistakes().isEmpty()) {
            return Future.succeededFuture(Problem.INVALID.answer("The product has mistakes.", body.mistakes()));
        }
        return bus.ask(new PutProduct(call.merchantId(), sku, strategy.get(), supplied))
                .map(Products::tell);
    }

    private static Answer tell(ProductAnswer answer) {
        if (answer instanceof ProductAnswer.Refused refused) {
            return Problem.PRODUCT_REFUSED.answer(refused.detail(), List.of());
        }
        ProductAnswer.Kept kept = (ProductAnswer.Kept) answer;
        return Answer.json(
                200,
                new JsonObject()
                        .put("sku", kept.sku())
                        .put("strategy", kept.strategy().name())
                        .put("supplied", kept.supplied())
                        .put("available", kept.available()));
    }
}
