package io.quittance.psp;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** JSON that is well-formed and not what anybody expects. */
final class OddJson {

    private static final int DEPTH_MAX = 6;
    private static final int MEMBERS_MAX = 6;

    private OddJson() {}

    /** Values of all types, at and beyond the edge of what a reader may take for granted. */
    static List<Object> values() {
        JsonArray deep = new JsonArray();
        for (int i = 0; i < 200; i++) {
            deep = new JsonArray().add(deep);
        }
        List<Object> values = new ArrayList<>(Arrays.asList(
                null,
                true,
                0,
                -1,
                1.5,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Double.MAX_VALUE,
                BigInteger.TEN.pow(300),
                "",
                " ",
                "\u0000",
                "\ud800",
                "\udc00x",
                "\u202e支付\ud83d\ude00",
                "-1",
                "-1.00",
                "1e9",
                "1.999",
                "999999999999999999",
                "12345678901234567890",
                "XXZ",
                "xxz",
                "ıdr",
                "JPY",
                "9".repeat(400),
                "0." + "0".repeat(5_000),
                "2026-02-30T25:61:61Z",
                "x".repeat(60_000)));
        values.addAll(List.of(
                deep,
                new JsonArray(),
                new JsonArray().addNull(),
                new JsonObject(),
                new JsonObject().put("", new JsonObject().put("\u0000", "\ud800"))));
        return values;
    }

    /** In how many ways one place of a document can be changed. */
    static int places(JsonObject document) {
        List<Consumer<Object>> places = new ArrayList<>();
        collect(document.copy(), places);
        return places.size();
    }

    /**
     * The document with one place holding another value, or nothing.
     *
     * @param place below {@link #places}
     */
    static JsonObject with(JsonObject document, int place, Object value) {
        JsonObject changed = document.copy();
        List<Consumer<Object>> places = new ArrayList<>();
        collect(changed, places);
        places.get(place).accept(value);
        return changed;
    }

    private static void collect(JsonObject object, List<Consumer<Object>> places) {
        for (String name : List.copyOf(object.fieldNames())) {
            places.add(value -> object.put(name, value));
            places.add(value -> object.remove(name));
            Object inner = object.getValue(name);
            if (inner instanceof JsonObject child) {
                object.put(name, child);
                collect(child, places);
            }
            if (inner instanceof JsonArray list) {
                object.put(name, list);
                places.add(list::add);
                places.add(value -> list.set(0, value));
            }
        }
    }

    /** A document that was grown by chance, mostly from these names. */
    static JsonObject grown(List<String> names, long seed) {
        return object(names, new Random(seed), DEPTH_MAX);
    }

    private static JsonObject object(List<String> names, Random random, int depth) {
        JsonObject object = new JsonObject();
        for (int i = random.nextInt(MEMBERS_MAX + 1); i > 0; i--) {
            String name = random.nextInt(10) == 0 ? "\u0000" : names.get(random.nextInt(names.size()));
            object.put(name, value(names, random, depth - 1));
        }
        return object;
    }

    private static Object value(List<String> names, Random random, int depth) {
        if (depth > 0 && random.nextBoolean()) {
            return object(names, random, depth);
        }
        if (depth > 0 && random.nextInt(4) == 0) {
            return new JsonArray().add(value(names, random, depth - 1)).add(value(names, random, depth - 1));
        }
        return random.nextBoolean()
                ? VALUES.get(random.nextInt(VALUES.size()))
                : names.get(random.nextInt(names.size()));
    }

    private static final List<Object> VALUES = values();

    /** All names and texts of a document: the words that its reader knows. */
    static List<String> words(JsonObject document) {
        List<String> words = new ArrayList<>();
        document.forEach(member -> {
            words.add(member.getKey());
            if (member.getValue() instanceof JsonObject inner) {
                words.addAll(words(inner));
            } else {
                words.add(String.valueOf(member.getValue()));
            }
        });
        return words;
    }

    /** Half characters are written as escapes, since UTF-8 has no bytes for them. */
    static Buffer bytes(JsonObject document) {
        return Buffer.buffer(document.encode().replace("\ud800", "\\ud800").replace("\udc00", "\\udc00"));
    }
}
