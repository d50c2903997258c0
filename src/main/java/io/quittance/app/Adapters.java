package io.quittance.app;

import io.quittance.config.Config.PspAccount;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspHttp;
import io.quittance.psp.adyen.AdyenAdapter;
import io.quittance.psp.adyen.AdyenSettings;
import io.quittance.psp.alipay.AlipayAdapter;
import io.quittance.psp.alipay.AlipaySettings;
import io.quittance.psp.standardwebhooks.StandardWebhooksAdapter;
import io.quittance.psp.standardwebhooks.StandardWebhooksSettings;
import io.quittance.psp.stripe.StripeAdapter;
import io.quittance.psp.stripe.StripeSettings;
import io.quittance.psp.wechatpay.WechatpayAdapter;
import io.quittance.psp.wechatpay.WechatpaySettings;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the adapter of each account that is configured. */
final class Adapters {

    /** How long one call to a PSP may take; above what they promise and below the leases that cover it. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(8);

    /** Connections to one PSP at once. */
    private static final int CONNECTIONS_MAX = 64;

    /** Calls that wait for a connection; the next one counts as not answered. */
    private static final int WAITING_MAX = 1_024;

    private static final Map<String, Factory> FACTORIES = new TreeMap<>(Map.of(
            "stripe",
            (account, settings, http, clock) -> new StripeAdapter(account, StripeSettings.parse(settings), http, clock),
            "alipay",
            (account, settings, http, clock) -> new AlipayAdapter(account, AlipaySettings.parse(settings), http, clock),
            "wechatpay",
            (account, settings, http, clock) ->
                    new WechatpayAdapter(account, WechatpaySettings.parse(settings), http, clock),
            "adyen",
            (account, settings, http, clock) -> new AdyenAdapter(account, AdyenSettings.parse(settings), http, clock),
            "standardwebhooks",
            (account, settings, http, clock) ->
                    new StandardWebhooksAdapter(account, StandardWebhooksSettings.parse(settings), http, clock)));

    private final Vertx vertx;
    private final Clock clock;
    private final HttpClient client;
    private Map<PspAccount, PspAdapter> built = new LinkedHashMap<>();

    Adapters(Vertx vertx, Clock clock) {
        this.vertx = vertx;
        this.clock = clock;
        this.client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout((int) CALL_LIMIT.toMillis()),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX).setMaxWaitQueueSize(WAITING_MAX));
    }

    @FunctionalInterface
    private interface Factory {
        PspAdapter build(String account, JsonObject settings, PspHttp http, Clock clock);
    }

    /**
     * Builds all of them. An account whose entry is as it was the last time keeps its adapter, and with it what its
     * circuit breaker knows.
     *
     * @throws InvalidSettings with every mistake of every account; then nothing is remembered of them
     */
    synchronized List<PspAdapter> build(List<PspAccount> accounts) {
        Map<PspAccount, PspAdapter> now = new LinkedHashMap<>();
        List<String> mistakes = new ArrayList<>();
        for (int i = 0; i < accounts.size(); i++) {
            PspAccount account = accounts.get(i);
            String place = "psp[" + i + "] (" + account.name() + ", " + account.account() + ")";
            try {
                PspAdapter before = built.get(account);
                now.put(account, before == null ? build(account) : before);
            } catch (InvalidSettings invalid) {
                invalid.mistakes().forEach(mistake -> mistakes.add(place + ": " + mistake));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InvalidSettings(mistakes);
        }
        built = now;
        return List.copyOf(now.values());
    }

    private PspAdapter build(PspAccount account) {
        Factory factory = FACTORIES.get(account.name());
        if (factory == null) {
            throw new InvalidSettings(List.of("name must be one of " + FACTORIES.keySet()));
        }
        PspHttp http = new PspHttp(vertx, client, account.name() + "/" + account.account(), CALL_LIMIT);
        return factory.build(account.account(), new JsonObject(account.settings()), http, clock);
    }
}
