package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.Notification;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** What the simulation has seen: figures by kind of request, and each notification that was acknowledged. */
final class Tally {

    static final String NOTIFICATIONS = "notifications";

    private final Map<String, Figures> figures = new ConcurrentSkipListMap<>();
    private final Map<Event, LongAdder> acknowledged = new ConcurrentHashMap<>();

    /** What the log must have, as often as it was acknowledged. */
    record Event(String psp, String attempt, String eventId) {}

    /** An event with how often it was acknowledged. */
    record Acknowledged(Event event, long times) {}

    Figures of(String kind) {
        return figures.computeIfAbsent(kind, first -> new Figures());
    }

    void acknowledged(Shot shot, Notification notification) {
        Event event = new Event(shot.sender().psp(), shot.news().attempt(), notification.eventId());
        acknowledged.computeIfAbsent(event, first -> new LongAdder()).increment();
    }

    Map<String, Figures> all() {
        return new TreeMap<>(figures);
    }

    List<Acknowledged> acknowledged() {
        List<Acknowledged> all = new ArrayList<>();
        acknowledged.forEach((event, times) -> all.add(new Acknowledged(event, times.sum())));
        return all;
    }

    long errors() {
        return figures.values().stream().mapToLong(Figures::errors).sum();
    }
}
