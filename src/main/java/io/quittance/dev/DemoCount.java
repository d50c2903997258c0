package io.quittance.dev;

import io.quittance.psp.sandbox.SandboxCounts;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.io.PrintStream;

/** What became of the demonstration's orders, counted on the database. */
record DemoCount(
        long orders,
        long paid,
        long expired,
        long otherwise,
        long everPaid,
        long refunds,
        long reviews,
        long revived,
        long logged) {

    private static final String COUNT = """
            select count(*) as orders,
                   count(*) filter (where status = 'PAID') as paid,
                   count(*) filter (where status = 'EXPIRED') as expired,
                   count(*) filter (where status not in ('PAID', 'EXPIRED')) as otherwise,
                   count(*) filter (where effective_attempt_id is not null) as ever_paid,
                   (select count(*) from refunds r join orders o on o.id = r.order_id
                    where o.order_no like $1 and r.status = 'SUCCEEDED') as refunds,
                   (select count(*) from reviews v join orders o on o.id = v.order_id
                    where o.order_no like $1 and v.closed_at is null) as reviews,
                   (select count(*) from audit u join orders o on o.id = u.order_id
                    where o.order_no like $1 and u.entity = 'ORDER' and u.from_status = 'EXPIRED'
                      and u.to_status = 'PAID') as revived,
                   (select count(*) from callbacks c join attempts a on c.reference = replace(a.id::text, '-', '')
                    join orders o on o.id = a.order_id where o.order_no like $1) as logged
            from orders where order_no like $1
            """;

    static DemoCount read(Pool pool, String like) {
        Row row = DemoScenario.single(pool, COUNT, Tuple.of(like));
        return new DemoCount(
                row.getLong("orders"),
                row.getLong("paid"),
                row.getLong("expired"),
                row.getLong("otherwise"),
                row.getLong("ever_paid"),
                row.getLong("refunds"),
                row.getLong("reviews"),
                row.getLong("revived"),
                row.getLong("logged"));
    }

    void print(PrintStream out, SandboxCounts sent, long records, long notices) {
        out.printf("%norders               %6d%n", orders);
        out.printf("notifications sent   %6d   (and %d logged of these orders)%n", sent.sent(), logged);
        out.printf("  duplicates         %6d%n", sent.duplicates());
        out.printf("  reordered          %6d%n", sent.reordered());
        out.printf("  late               %6d%n", sent.late());
        out.printf("  never sent         %6d%n", sent.dropped());
        out.printf(
                "  forged, tampered   %6d   (%d refused, %d accepted)%n",
                sent.forged() + sent.tampered(), sent.refusedForgeries(), sent.acceptedForgeries());
        out.printf("PAID                 %6d   (%d of them late, and revived)%n", paid, revived);
        out.printf("EXPIRED              %6d%n", expired);
        out.printf("other conclusions    %6d%n", otherwise);
        out.printf("refunded payments    %6d%n", refunds);
        out.printf("before a person      %6d   (money to go back where the PSP cannot be called)%n", reviews);
        out.printf("third-party records  %6d   (and %d orders that it was told as closed)%n", records, notices);
    }
}
