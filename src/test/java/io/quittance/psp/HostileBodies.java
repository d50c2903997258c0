package io.quittance.psp;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Bodies that cost a careless reader many times their size. */
final class HostileBodies {

    private HostileBodies() {}

    /** By name, each of about so many bytes. */
    static Map<String, Buffer> of(BodyFormat format, int bytes) {
        return format == BodyFormat.JSON ? json(bytes) : form(bytes);
    }

    private static Map<String, Buffer> json(int bytes) {
        Map<String, Buffer> all = new LinkedHashMap<>();
        all.put("empty objects in an array", filled("[", "{},", "{}]", bytes));
        all.put("empty objects in a member", filled("{\"id\":\"1\",\"a\":[", "{},", "{}]}", bytes));
        all.put("empty objects where an object is read", filled("{\"data\":[", "{},", "{}]}", bytes));
        all.put("empty objects where items are read", filled("{\"notificationItems\":[", "{},", "{}]}", bytes));
        all.put(
                "a few items that are read",
                filled("{\"notificationItems\":[{\"NotificationRequestItem\":{\"a\":[", "{},", "{}]}}]}", bytes));
        all.put("arrays in each other", filled("{\"a\":", "[", "", bytes));
        all.put("objects in each other", filled("{\"a\":", "{\"a\":", "", bytes));
        all.put("objects in each other where one is read", filled("", "{\"data\":{\"object\":", "", bytes));
        all.put("many names", counted("{", i -> "\"" + i + "\":1,", "\"a\":1}", bytes));
        all.put(
                "many names beside read ones",
                counted("{\"data\":{\"object\":{", i -> "\"" + i + "\":1,", "\"a\":1}}}", bytes));
        all.put("one name again and again", filled("{", "\"a\":1,", "\"b\":1}", bytes));
        all.put("names of escapes", filled("{", "\"\\u0061\":1,", "\"b\":1}", bytes));
        all.put("a name of escapes", filled("{\"", "\\u0061", "\":1}", bytes));
        all.put("a name", filled("{\"", "a", "\":1}", bytes));
        all.put("a read text of escapes", filled("{\"id\":\"", "\\u4e2d", "\"}", bytes));
        all.put("a read text beyond ASCII", filled("{\"id\":\"", "aaaaaa中", "\"}", bytes));
        all.put("a read text", filled("{\"type\":\"", "a", "\"}", bytes));
        all.put("read texts of 8 KiB", wideTexts(bytes));
        all.put("a skipped text of escapes", filled("{\"a\":\"", "\\n\\u00e9", "\"}", bytes));
        all.put("a ciphertext of escapes", filled("{\"resource\":{\"ciphertext\":\"", "\\/", "\"}}", bytes));
        all.put("a number", filled("{\"amount\":", "9", "}", bytes));
        all.put("numbers", filled("{\"a\":[", "1.5e300,7,", "0]}", bytes));
        all.put("spaces", filled("{", " ", "}", bytes));
        return all;
    }

    private static Map<String, Buffer> form(int bytes) {
        String head = "charset=utf-8&sign_type=RSA2&sign=AAAA&notify_id=1&notify_type=trade_status_sync&";
        Map<String, Buffer> all = new LinkedHashMap<>();
        all.put("many fields", filled(head, "a=1&", "b=1", bytes));
        all.put("many names", counted(head, i -> i + "=1&", "b=1", bytes));
        all.put("large fields", counted(head, i -> i + "=" + "x".repeat(bytes / 250) + "&", "b=1", bytes - bytes / 50));
        all.put(
                "large fields beyond ASCII",
                counted(head, i -> i + "=" + "中".repeat(bytes / 750) + "&", "b=1", bytes - bytes / 50));
        all.put("a field of escapes", filled(head + "subject=", "%E4%B8%AD", "", bytes));
        all.put("a field of bytes", filled(head + "subject=", "aaaa中", "", bytes));
        all.put("a read field", filled(head + "trade_no=", "a", "", bytes));
        all.put("a read field beyond ASCII", filled(head + "trade_no=", "aaaa%E4%B8%AD", "", bytes));
        all.put("fields hidden in one", filled(head + "subject=", "%26a%3D", "", bytes));
        all.put("fields of a known length hidden in one", filled(head + "subject=", "&signs%3D", "", bytes));
        all.put("a name", filled(head, "a", "=1", bytes));
        all.put("a charset", filled("charset=", "u", "&a=1", bytes));
        return all;
    }

    /** Each text is just short enough to be read, and takes two bytes a character. */
    private static Buffer wideTexts(int bytes) {
        String text = "a".repeat(8_000) + "中";
        return counted(
                "{\"id\":\"" + text + "\",\"type\":\"" + text
                        + "\",\"data\":{\"object\":{\"metadata\":{\"attempt_id\":\"" + text + "\"},",
                i -> "\"" + i + "\":\"" + text + "\",",
                "\"currency\":\"eur\"}}}",
                bytes);
    }

    private static Buffer filled(String head, String piece, String tail, int bytes) {
        return counted(head, i -> piece, tail, bytes);
    }

    private static Buffer counted(String head, IntFunction<String> piece, String tail, int bytes) {
        Buffer body = Buffer.buffer(bytes).appendString(head);
        int room = bytes - tail.length();
        for (int i = 0; ; i++) {
            byte[] next = piece.apply(i).getBytes(StandardCharsets.UTF_8);
            if (body.length() + next.length > room) {
                return body.appendString(tail);
            }
            body.appendBytes(next);
        }
    }
}
