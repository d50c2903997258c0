package io.quittance.dev;

import io.quittance.psp.sandbox.Faults;
import io.quittance.psp.sandbox.SandboxPsp;
import io.quittance.store.Database;
import io.quittance.store.Database.PoolLimits;
import io.quittance.store.Invariants;
import io.quittance.store.Invariants.Violation;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The demonstration: a few hundred orders through all PSPs of the sandbox, whose notifications come twice, late, in the
 * wrong order, not at all and forged; some payers never pay, and some pay when it is too late. At the end everything is
 * counted, and the promises are proved.
 */
public final class DemoScenario {

    private static final String[] PSPS = {"stripe", "alipay", "wechatpay", "adyen", "standardwebhooks"};
    private static final int ORDERS = 400;
    private static final int AT_ONCE = 16;

    /** After so many orders payers do the same again, each at the next PSP. */
    private static final int PAYERS = 20;

    private static final int ASKS_MAX = 100;
    private static final long SEED = 20_26;
    private static final Duration SETTLE_MAX = Duration.ofSeconds(90);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Faults FAULTS = new Faults(0.35, 0.15, 0.2, 0.04, 0.06, 0.06, Duration.ofMillis(800), SEED);

    /** The target creates a record for each request that it sees; only asking it first keeps it at one an order. */
    private static final SandboxTarget.Faults TARGET_FAULTS = new SandboxTarget.Faults(0.03, 0.03, 0.02, 0.0, SEED);

    private static final String SETTLED = """
            select (select count(*) from orders where order_no like $1 and status = 'PENDING')
                 + (select count(*) from outbox b join orders o on o.id = b.order_id
                    where o.order_no like $1 and b.status in ('PENDING', 'PROCESSING', 'FAILED'))
                 + (select count(*) from refunds r join orders o on o.id = r.order_id
                    where o.order_no like $1 and r.status in ('REQUESTED', 'PROCESSING', 'UNKNOWN'))
            """;

    private final DevMode dev;
    private final DevMode.Stage stage;
    private final PrintStream out;
    private final String run;
    private final Shop shop;
    private int placed;
    private final AtomicInteger givenUp = new AtomicInteger();

    /** @param run a prefix for order numbers, new for each run */
    public DemoScenario(DevMode dev, PrintStream out, String run) {
        this.dev = dev;
        this.stage = Objects.requireNonNull(dev.stage(), "the demonstration needs the sandbox");
        this.out = out;
        this.run = run;
        this.shop = new Shop(dev.vertx(), dev.gatewayUrl());
    }

    /** Plays it and prints the summary; returns whether every promise was kept. Blocks the caller. */
    public boolean play() {
        out.printf("demo: %d orders through %s, with faults%n", ORDERS, String.join(", ", PSPS));
        SandboxPsp psp = stage.psp();
        psp.faults(FAULTS);
        stage.target().faults(TARGET_FAULTS);
        DevMode.await(shop.product(run + "-tee", "STOCK", ORDERS)
                .compose(done -> shop.product(run + "-mug", "ON_PAYMENT", ORDERS)));
        for (int from = 0; from < ORDERS; from += AT_ONCE) {
            List<Future<Void>> together = new ArrayList<>();
            for (int i = from; i < Math.min(from + AT_ONCE, ORDERS); i++) {
                together.add(one(i));
            }
            DevMode.await(Future.all(together));
            placed += together.size();
            out.printf("\r  placed and paid or left: %d of %d", placed, ORDERS);
            out.flush();
        }
        out.println();
        if (givenUp.get() > 0) {
            out.printf("  %d payers were too slow for the cashier and gave up%n", givenUp.get());
        }
        Pool pool = Database.pool(dev.vertx(), dev.postgresUri(), PoolLimits.of("demo", 2));
        try {
            boolean settled = awaitSettled(pool);
            psp.faults(Faults.none());
            stage.target().faults(SandboxTarget.Faults.none());
            return summary(pool, settled);
        } finally {
            DevMode.await(pool.close());
        }
    }

    /** What the payer of one order does; fixed by the order's place, so that every run has all of them. */
    private enum Payer {
        PAYS,
        DECLINED_THEN_PAYS,
        NEVER_PAYS,
        PAYS_TOO_LATE_REFUND,
        PAYS_TOO_LATE_REVIVE,
        PAYS_TWICE
    }

    private static Payer payer(int i) {
        return switch (i % PAYERS) {
            case 3, 13 -> Payer.NEVER_PAYS;
            case 7 -> Payer.DECLINED_THEN_PAYS;
            case 11 -> Payer.PAYS_TOO_LATE_REFUND;
            case 16 -> Payer.PAYS_TOO_LATE_REVIVE;
            case 19 -> Payer.PAYS_TWICE;
            default -> Payer.PAYS;
        };
    }

    private Future<Void> one(int i) {
        Payer payer = payer(i);
        String psp = payer == Payer.PAYS_TWICE ? "stripe" : PSPS[(i + i / PAYERS) % PSPS.length];
        String orderNo = run + "-" + i;
        boolean inTime = payer == Payer.PAYS || payer == Payer.DECLINED_THEN_PAYS || payer == Payer.PAYS_TWICE;
        JsonObject order = new JsonObject()
                .put("order_no", orderNo)
                .put("amount", new JsonObject().put("value", amount(i)).put("currency", "CNY"))
                .put("items", new JsonArray().add(item(i)))
                .put("expires_in", inTime ? "PT15S" : "PT4S")
                .put("late_policy", payer == Payer.PAYS_TOO_LATE_REVIVE ? "REVIVE" : "REFUND");
        return shop.order(order)
                .compose(done -> shop.attempt(orderNo, psp))
                .compose(attempt -> pay(payer, order, attempt));
    }

    /** A payer who is too slow for the cashier or gives up is a payer who never pays; the demonstration goes on. */
    private Future<Void> pay(Payer payer, JsonObject order, JsonObject attempt) {
        return openCashier(order, attempt)
                .compose(opened -> payer == Payer.PAYS_TWICE
                        ? payTwice(order.getString("order_no"), attempt)
                        : behave(payer, attempt.getString("id")))
                .recover(gaveUp -> {
                    givenUp.incrementAndGet();
                    return Future.succeededFuture();
                });
    }

    private JsonObject item(int i) {
        return new JsonObject().put("sku", run + (i % 4 == 0 ? "-mug" : "-tee")).put("quantity", 1);
    }

    private static String amount(int i) {
        return String.format(Locale.ROOT, "%d.%02d", 10 + i, i % 100);
    }

    private Future<Void> openCashier(JsonObject order, JsonObject attempt) {
        if (attempt.getString("psp").equals("standardwebhooks")) {
            return shop.payAtStandardWebhooks(dev.sandboxUrl(), attempt.getString("id"), order.getJsonObject("amount"));
        }
        String url = attempt.getJsonObject("pay").getString("url");
        return url == null ? Future.succeededFuture() : stage.psp().open(url);
    }

    private Future<Void> behave(Payer payer, String attempt) {
        SandboxPsp psp = stage.psp();
        return switch (payer) {
            case PAYS -> psp.pay(attempt);
            case DECLINED_THEN_PAYS -> psp.decline(attempt).compose(done -> psp.pay(attempt));
            case NEVER_PAYS, PAYS_TWICE -> Future.succeededFuture();
            case PAYS_TOO_LATE_REFUND, PAYS_TOO_LATE_REVIVE -> {
                dev.vertx().setTimer(tooLateMs(), timer -> psp.payLateEvenIfClosed(attempt));
                yield Future.succeededFuture();
            }
        };
    }

    /** The first payment is cancelled, the second one paid; then the money of the first arrives all the same. */
    private Future<Void> payTwice(String orderNo, JsonObject first) {
        SandboxPsp psp = stage.psp();
        JsonObject settings = psp.accountSettings("stripe");
        return shop.cancelAtStripe(settings, first.getString("psp_payment_id"))
                .compose(done -> shop.attemptWhenFree(orderNo, "wechatpay", ASKS_MAX))
                .compose(second -> psp.pay(second.getString("id")))
                .compose(done -> psp.payLateEvenIfClosed(first.getString("id")));
    }

    /** After the order's four seconds, the tracker's question and its answer. */
    private static long tooLateMs() {
        return 8_000;
    }

    private boolean awaitSettled(Pool pool) {
        out.println("  waiting for the late, the lost and the refunds ...");
        DevMode.await(dev.vertx().timer(tooLateMs() + 1_000));
        long looks = SETTLE_MAX.dividedBy(LOOK_EVERY);
        for (long i = 0; i < looks; i++) {
            DevMode.await(stage.psp().settled());
            long open = DevMode.await(pool.preparedQuery(SETTLED).execute(Tuple.of(run + "-%")))
                    .iterator()
                    .next()
                    .getLong(0);
            if (open == 0) {
                return true;
            }
            DevMode.await(dev.vertx().timer(LOOK_EVERY.toMillis()));
        }
        return false;
    }

    private boolean summary(Pool pool, boolean settled) {
        DemoCount count = DemoCount.read(pool, run + "-%");
        List<Violation> violations = new ArrayList<>(DevMode.await(new Invariants(pool).check()));
        long records = stage.target().records().keySet().stream()
                .filter(orderNo -> orderNo.startsWith(run + "-"))
                .count();
        if (!settled) {
            violations.add(
                    new Violation("I9", "-", "not everything was settled within " + SETTLE_MAX.toSeconds() + " s"));
        }
        if (records != count.everPaid()) {
            violations.add(new Violation(
                    "I4", "-", "the third party has " + records + " records for " + count.everPaid() + " paid orders"));
        }
        if (stage.psp().counts().acceptedForgeries() > 0) {
            violations.add(new Violation("I2", "-", "a forged notification was accepted"));
        }
        if (stage.target().contradictions() > 0) {
            violations.add(new Violation(
                    "I4", "-", "the third party was told " + stage.target().contradictions() + " times otherwise"));
        }
        long notices = stage.target().notices().keySet().stream()
                .filter(orderNo -> orderNo.startsWith(run + "-"))
                .count();
        count.print(out, stage.psp().counts(), records, notices);
        out.println(Invariants.report(violations));
        return violations.isEmpty();
    }

    /** For {@link DemoCount}. */
    static Row single(Pool pool, String sql, Tuple values) {
        return DevMode.await(pool.preparedQuery(sql).execute(values)).iterator().next();
    }
}
