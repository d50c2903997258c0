package io.quittance.psp.sandbox;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.security.PublicKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A request to Alipay's open gateway: the fields of query and body together, decoded with the charset that they name
 * (opendocs.alipay.com: signing by hand).
 *
 * @param business {@code biz_content}, empty if there is none
 */
record AlipayRequest(Map<String, String> fields, Charset charset, JsonObject business) {

    /**
     * Reads a request.
     *
     * @param body empty for a GET
     * @throws IllegalArgumentException if it is not well-formed
     */
    static AlipayRequest read(String query, String body) {
        Map<String, String> guess = merged(query, body, StandardCharsets.UTF_8);
        Charset charset = charset(guess.getOrDefault("charset", "utf-8"));
        Map<String, String> fields = charset.equals(StandardCharsets.UTF_8) ? guess : merged(query, body, charset);
        try {
            String business = fields.getOrDefault("biz_content", "{}");
            return new AlipayRequest(fields, charset, new JsonObject(business));
        } catch (DecodeException e) {
            throw new IllegalArgumentException("biz_content is not a JSON object", e);
        }
    }

    String field(String name) {
        return fields.getOrDefault(name, "");
    }

    /** A field of {@code biz_content}, numbers as written; empty if it is absent. */
    String business(String name) {
        Object value = business.getValue(name);
        return value instanceof String || value instanceof Number ? value.toString() : "";
    }

    /** RSA2 over all fields but {@code sign}, sorted, without those that are empty. */
    boolean isSignedBy(PublicKey key) {
        Map<String, String> signed = new TreeMap<>(fields);
        signed.remove("sign");
        return field("sign_type").equals("RSA2")
                && Rsa.verify(key, baseString(signed).getBytes(charset), field("sign"));
    }

    /** {@code name=value} joined by {@code &}, in the map's order, without the empty ones. */
    static String baseString(Map<String, String> fields) {
        StringJoiner base = new StringJoiner("&");
        fields.forEach((name, value) -> {
            if (!value.isEmpty()) {
                base.add(name + "=" + value);
            }
        });
        return base.toString();
    }

    private static Map<String, String> merged(String query, String body, Charset charset) {
        Map<String, String> fields = new LinkedHashMap<>(Form.parse(query, charset));
        fields.putAll(Form.parse(body, charset));
        return fields;
    }

    private static Charset charset(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new IllegalArgumentException("unknown charset", e);
        }
    }
}
