package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.Notification;
import io.quittance.loadtest.sender.Sender;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What is done through the gateway's door before the measured part begins. */
final class Merchant {

    /** Several, so that orders do not all wait for one product's row. */
    static final int PRODUCTS = 16;

    private static final long SUPPLIED = 100_000_000;
    private static final int AT_ONCE = 16;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final String UNKNOWN_ACCOUNT = "urn:quittance:problem:unknown-account";
    private static final String TIME_TO_PAY = "PT1H";

    private final Site site;
    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();

    private volatile boolean reached;

    Merchant(Site site) {
        this.site = site;
    }

    static String sku(int number) {
        return "gatling-" + Math.floorMod(number, PRODUCTS);
    }

    static JsonObject order(String orderNo, int number, String expiresIn) {
        return new JsonObject()
                .put("order_no", orderNo)
                .put("amount", new JsonObject().put("value", Placed.AMOUNT).put("currency", Placed.CURRENCY))
                .put(
                        "items",
                        new JsonArray()
                                .add(new JsonObject().put("sku", sku(number)).put("quantity", 1)))
                .put("expires_in", expiresIn);
    }

    static JsonObject attempt(Sender sender, String account) {
        return new JsonObject().put("psp", sender.psp()).put("account", account);
    }

    void supply() {
        JsonObject product = new JsonObject().put("strategy", "STOCK").put("supplied", SUPPLIED);
        for (int i = 0; i < PRODUCTS; i++) {
            call("PUT", "/v1/products/" + sku(i), product);
        }
    }

    /** Places so many orders, in turn with an attempt at each PSP. */
    List<Placed> place(String prefix, int howMany) {
        ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Callable<Placed>> tasks = new ArrayList<>();
            for (int i = 0; i < howMany; i++) {
                int number = i;
                tasks.add(() -> placeOne(prefix + number, number));
            }
            List<Placed> placed = new ArrayList<>();
            for (Future<Placed> one : workers.invokeAll(tasks)) {
                placed.add(one.get());
            }
            return placed;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while orders were placed", stopped);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failure);
        } finally {
            workers.shutdownNow();
        }
    }

    private Placed placeOne(String orderNo, int number) {
        Sender sender = site.senders().get(number % site.senders().size());
        call("POST", "/v1/orders", order(orderNo, number, TIME_TO_PAY));
        return Placed.of(
                orderNo, sender, call("POST", "/v1/orders/" + orderNo + "/attempts", attempt(sender, site.account())));
    }

    /** Tells the gateway one thing outside the measured part; the answer's status. */
    int tell(Sender sender, Notification notification) {
        HttpRequest.Builder request = request(site.notifyPath(sender));
        notification.headers().forEach(request::header);
        HttpResponse<String> answer =
                send(request.POST(BodyPublishers.ofString(notification.body())).build());
        boolean believed = sender.isAcknowledged(answer.statusCode(), answer.body());
        return believed || answer.statusCode() >= 300 ? answer.statusCode() : 500;
    }

    private JsonObject call(String method, String path, JsonObject body) {
        HttpRequest request = request(path)
                .header("Authorization", "Bearer " + site.merchantKey())
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body.encode()))
                .build();
        HttpResponse<String> answer = send(request);
        if (answer.statusCode() == 401) {
            throw new InvalidParameters(List.of("merchant_key: the gateway does not know it (401); wanted: the key of a"
                    + " merchant in its configuration"));
        }
        if (answer.statusCode() == 422 && answer.body().contains(UNKNOWN_ACCOUNT)) {
            throw new InvalidParameters(List.of("account, psps: the gateway has no account " + body.getString("psp")
                    + "/" + site.account() + "; wanted: accounts that it has, at each of the PSPs"));
        }
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(
                    method + " " + path + " was answered with " + answer.statusCode() + ": " + answer.body());
        }
        try {
            return new JsonObject(answer.body());
        } catch (DecodeException other) {
            throw new InvalidParameters(List.of("gateway: what answers at " + site.url() + " is no Quittance"));
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(site.url() + path)).timeout(ANSWER_MAX);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            reached = true;
            return answer;
        } catch (IOException failure) {
            if (reached) {
                throw new IllegalStateException("the gateway does not answer any more: " + failure, failure);
            }
            throw new InvalidParameters(List.of("gateway: " + request.uri() + " does not answer (" + failure
                    + "); wanted: the public address of a gateway that runs"));
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("stopped while the gateway was asked", stopped);
        }
    }
}
