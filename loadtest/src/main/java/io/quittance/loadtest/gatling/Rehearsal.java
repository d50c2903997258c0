package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.News.Kind;
import io.quittance.loadtest.sender.Notification;
import java.util.ArrayList;
import java.util.List;

/** One order and its notification at each PSP, before the load: so that a wrong key or database is named at once. */
final class Rehearsal {

    private Rehearsal() {}

    /** @throws InvalidParameters if the gateway does not believe a PSP, or keeps its orders in another database */
    static void hold(Merchant merchant, Proof proof, String prefix, Tally tally, Site site) {
        List<Placed> placed = merchant.place(prefix, site.senders().size());
        if (proof.orders(prefix).isEmpty()) {
            throw new InvalidParameters(List.of("postgres: order "
                    + placed.get(0).orderNo() + " is not there; wanted: the database of the gateway at " + site.url()));
        }
        List<String> mistakes = new ArrayList<>();
        for (Placed order : placed) {
            Shot shot = order.tells(Kind.SUCCEEDED);
            Notification notification = shot.signed();
            int status = merchant.tell(order.sender(), notification);
            if (status < 300) {
                tally.acknowledged(shot, notification);
            } else {
                mistakes.add(explained(order.sender().psp(), status, site.account()));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InvalidParameters(mistakes);
        }
    }

    private static String explained(String psp, int status, String account) {
        String wanted = "; or leave " + psp + " out of -Dpsps";
        return switch (status) {
            case 401 ->
                psp + ".*: the gateway does not believe what is signed with these keys (401); wanted: those of"
                        + " its account " + psp + "/" + account + wanted;
            default ->
                psp + ": the first notification was answered with " + status + "; see the gateway's log" + wanted;
        };
    }
}
