package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.pointer.JsonPointer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathsTest {

    private static final JsonPaths PATHS = JsonPaths.of("/id", "/live", "/data/amount", "/data/note", "/zero/~0a~1b");

    @Test
    void only_what_is_asked_for_is_kept() {
        assertThat(read("""
                        {"id": "x", "other": {"id": "y", "deep": [1, {"id": 2}, "]}"]}, "live": true,
                         "data": {"amount": 1999, "more": null, "note": null}, "zero": {"~a/b": -0}}
                        """))
                .isEqualTo(new JsonObject()
                        .put("id", "x")
                        .put("live", true)
                        .put("data", new JsonObject().put("amount", 1_999L).putNull("note"))
                        .put("zero", new JsonObject().put("~a/b", 0L)));
    }

    @Test
    void what_is_missing_is_not_there() {
        JsonObject read = read("{\"data\": {}}");
        assertThat(read).isEqualTo(new JsonObject().put("data", new JsonObject()));
        assertThat(JsonFields.text(read, "id")).isNull();
        assertThat(read("{}")).isEqualTo(new JsonObject());
    }

    @Test
    void a_value_of_another_type_is_there_and_not_read_as_the_wanted_one() {
        JsonObject read = read("{\"id\": {\"a\": 1}, \"data\": \"text\", \"live\": [1, 2]}");
        assertThat(JsonFields.text(read, "id")).isNull();
        assertThat(JsonFields.object(read, "id")).isEqualTo(new JsonObject());
        assertThat(JsonFields.object(read, "data")).isNull();
        assertThat(JsonFields.array(read, "live")).isEqualTo(new JsonArray());
        assertThat(JsonFields.bool(read, "live")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "-1,-1",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "9223372036854775808,",
        "-9223372036854775809,",
        "100000000000000000000000,",
        "1.0,",
        "1e2,",
        "1E+2,",
        "19.99,",
        "0.1e-400,",
        "1e999999999999,"
    })
    void only_a_whole_number_in_a_long_is_an_integer(String written, Long integer) {
        JsonObject data = JsonFields.object(read("{\"data\": {\"amount\": " + written + "}}"), "data");
        assertThat(data.containsKey("amount")).isTrue();
        assertThat(JsonFields.integer(data, "amount")).isEqualTo(integer);
        assertThat(JsonFields.text(data, "amount")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":1,\"id\":1}",
                "{\"id\":1,\"\\u0069d\":2}",
                "{\"data\":{\"amount\":1},\"data\":{\"note\":1}}",
                "{\"data\":{\"amount\":1,\"x\":{},\"amount\":2}}"
            })
    void a_member_that_is_asked_for_and_stands_twice_makes_the_document_unreadable(String json) {
        assertThat(read(json)).isNull();
    }

    @Test
    void members_that_nobody_asks_for_may_stand_twice() {
        assertThat(read("{\"a\":1,\"a\":2,\"b\":{\"id\":1,\"id\":2}}")).isEqualTo(new JsonObject());
    }

    @Test
    void texts_are_unescaped() {
        assertThat(read("{\"i\\u0064\":\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u4e2D\\ud83d\\ude00é中😀\"}"))
                .isEqualTo(new JsonObject().put("id", "a\"\\/\b\f\n\r\té中😀é中😀"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud83d", "\\ud83dx", "\\ude00", "\\ude00\\ud83d", "a\\u0000b"})
    void a_text_that_no_store_takes_is_there_and_is_no_text(String text) {
        assertThat(read("{\"id\":\"" + text + "\"}").containsKey("id")).isTrue();
        assertThat(JsonFields.text(read("{\"id\":\"" + text + "\"}"), "id")).isNull();
        assertThat(read("{\"other\":\"" + text + "\",\"" + text + "\":1}")).isEqualTo(new JsonObject());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "true",
                "1",
                "\"id\"",
                "[]",
                "[{}]",
                "{",
                "}",
                "{}}",
                "{} {}",
                "{}x",
                "{}\u0000",
                "{]",
                "[}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{\"a\":1 \"b\":2}",
                "{\"a\" 1}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\":[1,]}",
                "{\"a\":[,1]}",
                "{\"a\":[1 2]}",
                "{\"a\":[1}",
                "{\"a\":[1}]",
                "{\"a\":{\"b\":1]}",
                "{\"a\":01}",
                "{\"a\":-}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":1.}",
                "{\"a\":1e}",
                "{\"a\":1e+}",
                "{\"a\":0x1}",
                "{\"a\":NaN}",
                "{\"a\":Infinity}",
                "{\"a\":tru}",
                "{\"a\":truex}",
                "{\"a\":True}",
                "{\"a\":nul}",
                "{\"a\":falsee}",
                "{\"a\":\"",
                "{\"a\":\"\\",
                "{\"a\":\"\\\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\\u123",
                "{\"a\":\"\t\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":\"\u0001\"}",
                "{\"a\u0002\":1}",
                "{}//",
                "/**/{}",
                "{\"a\":1}\u00a0",
                "\u00a0{}"
            })
    void whatever_is_not_one_object_is_unreadable(String json) {
        assertThat(read(json)).isNull();
        // The same in a member that is asked for, where the reading takes another path.
        assertThat(read(json.replace("\"a\"", "\"id\""))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80",
                "C3",
                "C328",
                "C080",
                "C1BF",
                "E08080",
                "E4B8",
                "E4B82E",
                "EDA080",
                "EDBFBF",
                "F0808080",
                "F08FBFBF",
                "F09F98",
                "F09F982E",
                "F4908080",
                "F5808080",
                "FF",
                "FE"
            })
    void bytes_that_are_not_utf8_are_unreadable_wherever_they_stand(String hex) {
        byte[] wrong = HexFormat.of().parseHex(hex);
        for (String name : new String[] {"id", "other"}) {
            Buffer text = Buffer.buffer("{\"" + name + "\":\"").appendBytes(wrong);
            assertThat(JsonFields.parse(text.copy().appendString("\"}"), PATHS)).isNull();
            assertThat(JsonFields.parse(text, PATHS)).isNull();
        }
        Buffer asName = Buffer.buffer("{\"").appendBytes(wrong).appendString("\":1}");
        assertThat(JsonFields.parse(asName, PATHS)).isNull();
    }

    @Test
    void every_character_of_unicode_is_read_back() {
        for (int from = 0x20; from <= Character.MAX_CODE_POINT; from += 1_000) {
            StringBuilder text = new StringBuilder();
            for (int c = from; c < Math.min(from + 1_000, Character.MAX_CODE_POINT + 1); c++) {
                boolean half = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
                text.appendCodePoint(half || c == '"' || c == '\\' ? ' ' : c);
            }
            assertThat(read("{\"id\":\"" + text + "\"}")).isEqualTo(new JsonObject().put("id", text.toString()));
        }
    }

    @Test
    void one_byte_order_mark_is_ignored() {
        assertThat(read("\uFEFF{\"id\":\"x\"}")).isEqualTo(new JsonObject().put("id", "x"));
        assertThat(read("\uFEFF\uFEFF{}")).isNull();
        assertThat(read("{}\uFEFF")).isNull();
        assertThat(JsonFields.parse(Buffer.buffer("{}".getBytes(StandardCharsets.UTF_16)), PATHS))
                .isNull();
    }

    @Test
    void nesting_has_a_limit_in_what_is_kept_and_in_what_is_not() {
        assertThat(read(nested("other", 63))).isNotNull();
        assertThat(read(nested("other", 64))).isNull();
        assertThat(read(nested("id", 63))).isNotNull();
        assertThat(read(nested("id", 64))).isNull();
        JsonPaths deep = JsonPaths.of("/a".repeat(70));
        assertThat(JsonFields.parse(Buffer.buffer("{\"a\":".repeat(64) + "1" + "}".repeat(64)), deep))
                .isNotNull();
        assertThat(JsonFields.parse(Buffer.buffer("{\"a\":".repeat(65) + "1" + "}".repeat(65)), deep))
                .isNull();
    }

    @Test
    void a_text_beyond_the_limit_is_no_text_and_others_have_no_limit() {
        String longest = "x".repeat(8 * 1024);
        assertThat(read("{\"id\":\"" + longest + "\"}")).isEqualTo(new JsonObject().put("id", longest));
        assertThat(JsonFields.text(read("{\"id\":\"" + longest + "x\"}"), "id")).isNull();
        assertThat(read("{\"other\":\"" + longest + "x\",\"" + longest + "\\u0061\":1}"))
                .isEqualTo(new JsonObject());
    }

    @Test
    void a_text_that_is_asked_for_as_bytes_has_no_limit_and_must_be_ascii() {
        JsonPaths paths = JsonPaths.of("/a/b").andBytes("/a/c");
        JsonObject read =
                JsonFields.parse(Buffer.buffer("{\"a\":{\"b\":\"t\",\"c\":\"" + "x\\/".repeat(10_000) + "\"}}"), paths);
        assertThat(JsonFields.bytes(JsonFields.object(read, "a"), "c"))
                .isEqualTo("x/".repeat(10_000).getBytes(StandardCharsets.US_ASCII));
        assertThat(JsonFields.bytes(JsonFields.object(read, "a"), "b")).isEqualTo(new byte[] {'t'});
        assertThat(JsonFields.bytes(read, "a")).isNull();
        for (String wide : new String[] {"é", "\\u00e9"}) {
            JsonObject other = JsonFields.parse(Buffer.buffer("{\"a\":{\"c\":\"" + wide + "\"}}"), paths);
            assertThat(JsonFields.bytes(JsonFields.object(other, "a"), "c")).isNull();
        }
    }

    @Test
    void elements_are_asked_for_by_number_or_all() {
        Buffer json = Buffer.buffer("{\"a\":[{\"b\":1,\"c\":2},[3],{\"b\":4}],\"d\":[5,6,7],\"e\":{\"1\":8}}");
        assertThat(JsonFields.parse(json, JsonPaths.of("/a/*/b", "/d/1", "/e/1")))
                .isEqualTo(new JsonObject()
                        .put(
                                "a",
                                new JsonArray()
                                        .add(new JsonObject().put("b", 1L))
                                        .add(new JsonArray())
                                        .add(new JsonObject().put("b", 4L)))
                        .put("d", new JsonArray().addNull().add(6L))
                        .put("e", new JsonObject().put("1", 8L)));
    }

    @Test
    void more_elements_than_anybody_sends_are_unreadable_only_where_they_are_asked_for() {
        Buffer json = Buffer.buffer("{\"a\":[" + "{},".repeat(256) + "{}]}");
        assertThat(JsonFields.parse(json, JsonPaths.of("/a/*/b"))).isNull();
        assertThat(JsonFields.parse(json, JsonPaths.of("/a/0/b"))).isNotNull();
        assertThat(JsonFields.parse(json, JsonPaths.of("/a"))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/id", "/data", "/data/amount", "/data/amount/more", "/items/0", "/items/1/id", "/items/1/0",
                        "/items/2", "/items/-",
                "/items/-1", "/items/id", "/items/99999999999", "/zero/~0a~1b", "/", "/data/", "/missing/id",
                        "/null/id", "/null"
            })
    void what_stands_at_a_place_is_what_other_readers_of_pointers_find(String pointer) {
        JsonObject document = new JsonObject("""
                {"id": "x", "data": {"amount": 1999, "": "unnamed"}, "items": ["one", {"id": "y", "0": "z"}],
                 "zero": {"~a/b": true}, "": "empty", "null": null}
                """);

        assertThat(JsonPaths.place(pointer).in(document))
                .isEqualTo(JsonPointer.from(pointer).queryJson(document));
    }

    @Test
    void a_pointer_has_to_name_something_inside() {
        assertThatThrownBy(() -> JsonPaths.place("id")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JsonPaths.of("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JsonPaths.of("id")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JsonPaths.of("/" + "x".repeat(257))).isInstanceOf(IllegalArgumentException.class);
    }

    /** Jackson is the oracle: over ASCII, both read the same documents, and the same from them. */
    @Test
    void documents_that_were_damaged_are_read_or_refused_as_jackson_does() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String good = "{\"id\":\"evt_\\u0041\\n\",\"live\":false,\"other\":[1,-2.5e3,{\"x\":null},\"\\\\\"],"
                + "\"data\":{\"amount\":1999,\"note\":\"a b\"} , \"zero\":{}}";
        String alphabet = "{}[]\":,\\ 0123456789-+.eEtrufalsn/bx\t";
        int readable = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder damaged = new StringBuilder(good);
            for (int changes = random.nextInt(3); changes >= 0; changes--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.deleteCharAt(at);
                    case 1 -> damaged.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
                    default -> damaged.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
                }
            }
            JsonObject all = JsonFields.parse(Buffer.buffer(damaged.toString()));
            JsonObject read = read(damaged.toString());
            String what = "seed " + seed + ": " + damaged;
            assertThat(read == null).as(what).isEqualTo(all == null);
            if (all != null) {
                readable++;
                assertThat(JsonFields.text(read, "id")).as(what).isEqualTo(JsonFields.text(all, "id"));
                assertThat(JsonFields.bool(read, "live")).as(what).isEqualTo(JsonFields.bool(all, "live"));
                JsonObject data = JsonFields.object(read, "data");
                JsonObject allData = JsonFields.object(all, "data");
                assertThat(data == null).as(what).isEqualTo(allData == null);
                if (data != null) {
                    assertThat(JsonFields.integer(data, "amount"))
                            .as(what)
                            .isEqualTo(JsonFields.integer(allData, "amount"));
                    assertThat(JsonFields.text(data, "note")).as(what).isEqualTo(JsonFields.text(allData, "note"));
                }
            }
        }
        assertThat(readable).isBetween(5_000, 45_000);
    }

    private static JsonObject read(String json) {
        return JsonFields.parse(Buffer.buffer(json), PATHS);
    }

    private static String nested(String name, int depth) {
        return "{\"" + name + "\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    }
}
