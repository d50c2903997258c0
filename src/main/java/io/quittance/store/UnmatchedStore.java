package io.quittance.store;

import io.quittance.domain.PaymentFact;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Notifications that came before their attempt. */
public final class UnmatchedStore {

    static final String MATCHABLE = """
            select u.callback_id, u.part, u.fact
            from unmatched u join attempts a on a.id = u.attempt_id
            where u.matched_at is null
            order by u.received_at, u.callback_id, u.part
            limit $1
            """;

    static final String MATCHED =
            "update unmatched set matched_at = now() where callback_id = $1 and part = $2 and matched_at is null";

    /** What never found its attempt goes before a person, once. */
    static final String REVIEW = """
            with late as (
                select callback_id, part from unmatched
                where matched_at is null and reviewed_at is null and review_at <= now()
                order by review_at limit $1 for update skip locked
            ),
            marked as (
                update unmatched u set reviewed_at = now()
                from late l where u.callback_id = l.callback_id and u.part = l.part
                returning u.callback_id, u.reference
            )
            insert into reviews (reason, detail)
            select 'UNMATCHED', 'notification ' || callback_id || ' names ' || left(reference, 64) from marked
            """;

    private final Pool pool;

    public UnmatchedStore(Pool pool) {
        this.pool = pool;
    }

    /** A notification whose attempt has appeared. */
    public record Matchable(UUID callbackId, short part, PaymentFact fact) {}

    public Future<List<Matchable>> matchable(int limit) {
        return pool.preparedQuery(MATCHABLE).execute(Tuple.of(limit)).map(rows -> {
            List<Matchable> found = new ArrayList<>(rows.size());
            for (Row row : rows) {
                found.add(new Matchable(row.getUUID(0), row.getShort(1), FactJson.read((JsonObject) row.getJson(2))));
            }
            return found;
        });
    }

    public Future<Void> matched(Matchable matchable) {
        return pool.preparedQuery(MATCHED)
                .execute(Tuple.of(matchable.callbackId(), matchable.part()))
                .mapEmpty();
    }

    /** Opens review items for those that waited too long; returns how many. */
    public Future<Integer> review(int limit) {
        return pool.preparedQuery(REVIEW).execute(Tuple.of(limit)).map(rows -> rows.rowCount());
    }
}
