package io.quittance.psp.alipay;

import io.quittance.psp.JsonFields;
import io.quittance.psp.RsaSha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The gateway's answer, {@code {"<method>_response": {...}, "sign": "..."}}. What is signed is the text of the node
 * exactly as it was sent, from its first to its last brace: writing the parsed object again would change it.
 */
final class AlipayAnswer {

    private static final String ERROR_NODE = "error_response";

    private AlipayAnswer() {}

    /**
     * The node, if its signature is right.
     *
     * @return empty if it is not signed, not signed by Alipay, not JSON, or has a member of the root twice
     */
    static Optional<JsonObject> verified(Buffer body, String nodeName, AlipaySignature signature) {
        Map<String, String> root = rootMembers(body);
        String node = root.containsKey(nodeName) ? root.get(nodeName) : root.get(ERROR_NODE);
        String sign = root.get("sign");
        if (node == null || sign == null || sign.length() < 2) {
            return Optional.empty();
        }
        Optional<byte[]> decoded = RsaSha256.decodeSignature(sign.substring(1, sign.length() - 1));
        byte[] message = bytes(node);
        if (decoded.isEmpty() || signature.matchingKey(message, decoded.get()) < 0) {
            return Optional.empty();
        }
        return Optional.ofNullable(JsonFields.parse(Buffer.buffer(message)));
    }

    /** The exact bytes of a node of the root; empty if it is not there or there twice. */
    static Optional<byte[]> signedBytes(Buffer body, String nodeName) {
        return Optional.ofNullable(rootMembers(body).get(nodeName)).map(AlipayAnswer::bytes);
    }

    private static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * The members of the root object with their values as they were written; empty for anything but an object without
     * repeated or escaped names. One char is one byte here, so that nothing is decoded and encoded again.
     */
    private static Map<String, String> rootMembers(Buffer body) {
        if (JsonFields.parse(body) == null) {
            return Map.of();
        }
        String text = new String(body.getBytes(), StandardCharsets.ISO_8859_1);
        Map<String, String> members = new LinkedHashMap<>();
        int at = skipSpace(text, text.indexOf('{') + 1);
        while (at < text.length() && text.charAt(at) == '"') {
            int nameEnd = endOfString(text, at);
            String name = text.substring(at + 1, nameEnd - 1);
            int valueStart = skipSpace(text, text.indexOf(':', nameEnd) + 1);
            int valueEnd = endOfValue(text, valueStart);
            if (name.indexOf('\\') >= 0 || members.put(name, text.substring(valueStart, valueEnd)) != null) {
                return Map.of();
            }
            at = skipSpace(text, valueEnd);
            at = at < text.length() && text.charAt(at) == ',' ? skipSpace(text, at + 1) : text.length();
        }
        return members;
    }

    /** The text is JSON that a parser accepted, so that braces and quotes are known to be balanced. */
    private static int endOfValue(String text, int start) {
        int depth = 0;
        int at = start;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                break;
            }
            if (c == '"') {
                at = endOfString(text, at);
                continue;
            }
            depth += c == '{' || c == '[' ? 1 : 0;
            depth -= c == '}' || c == ']' ? 1 : 0;
            at++;
            if (depth == 0 && (c == '}' || c == ']')) {
                break;
            }
        }
        return at;
    }

    /** The position behind the closing quote. */
    private static int endOfString(String text, int openingQuote) {
        int at = openingQuote + 1;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at + 1, text.length());
    }

    private static int skipSpace(String text, int from) {
        int at = from;
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }
}
