package io.quittance.timeout;

import io.quittance.psp.PspAdapter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.Map;

/** The pace of each account. Turns may be asked for on any thread; everything else on the context's. */
final class Accounts {

    private final Vertx vertx;
    private final Context context;
    private final int callsPerSecond;
    private final Map<String, Account> byName = new HashMap<>();
    private boolean closed;

    /** @param context where everything here happens */
    Accounts(Vertx vertx, Context context, int callsPerSecond) {
        this.vertx = vertx;
        this.context = context;
        this.callsPerSecond = callsPerSecond;
    }

    /** An account that was replaced in the configuration keeps its pace. */
    Account of(PspAdapter adapter) {
        return byName.computeIfAbsent(adapter.psp() + "/" + adapter.account(), name -> created());
    }

    private Account created() {
        Pace pace = new Pace(
                callsPerSecond, System::nanoTime, (afterMs, step) -> vertx.setTimer(afterMs, id -> step.run()));
        if (closed) {
            pace.close();
        }
        return new Account(pace, System::nanoTime);
    }

    /** Completes when this account may be asked. */
    Future<Void> turn(PspAdapter adapter) {
        Promise<Void> turn = Promise.promise();
        context.runOnContext(here -> of(adapter).pace().turn().onComplete(turn));
        return turn.future();
    }

    /** The same before all who have not begun. */
    Future<Void> nextTurn(PspAdapter adapter) {
        Promise<Void> turn = Promise.promise();
        context.runOnContext(here -> of(adapter).pace().nextTurn().onComplete(turn));
        return turn.future();
    }

    /** No call is begun any more. */
    void close() {
        closed = true;
        byName.values().forEach(account -> account.pace().close());
    }
}
