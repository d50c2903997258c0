package io.quittance.app;

import io.quittance.config.Config;
import io.quittance.config.Config.PspAccount;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspHttp;
import io.quittance.psp.Psps;
import io.quittance.psp.adyen.AdyenAdapter;
import io.quittance.psp.adyen.AdyenSettings;
import io.quittance.psp.alipay.AlipayAdapter;
import io.quittance.psp.alipay.AlipaySettings;
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
            (account, settings, http, clock) -> new AdyenAdapter(account, AdyenSettings.parse(settings), http, clock)));

    private Adapters() {}

    @FunctionalInterface
    private interface Factory {
        PspAdapter build(String account, JsonObject settings, PspHttp http, Clock clock);
    }

    /**
     * Builds all of them.
     *
     * @throws InvalidSettings with every mistake of every account
     */
    static Psps build(Vertx vertx, Config config, Clock clock) {
        HttpClient client = vertx.createHttpClient(
                new HttpClientOptions().setConnectTimeout((int) CALL_LIMIT.toMillis()),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX).setMaxWaitQueueSize(WAITING_MAX));
        List<PspAdapter> adapters = new ArrayList<>();
        List<String> mistakes = new ArrayList<>();
        for (int i = 0; i < config.psp().size(); i++) {
            PspAccount account = config.psp().get(i);
            String place = "psp[" + i + "] (" + account.name() + ", " + account.account() + ")";
            Factory factory = FACTORIES.get(account.name());
            if (factory == null) {
                mistakes.add(place + ": name must be one of " + FACTORIES.keySet());
                continue;
            }
            PspHttp http = new PspHttp(vertx, client, account.name() + "/" + account.account(), CALL_LIMIT);
            try {
                adapters.add(factory.build(account.account(), new JsonObject(account.settings()), http, clock));
            } catch (InvalidSettings invalid) {
                invalid.mistakes().forEach(mistake -> mistakes.add(place + ": " + mistake));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InvalidSettings(mistakes);
        }
        return new Psps(adapters);
    }
}
