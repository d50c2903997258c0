package io.quittance.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;

/** Strict JSON (RFC 8259): one object, no member twice, nothing behind it. */
final class JsonReader {

    private final ObjectMapper mapper = new ObjectMapper(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** Reads an object. Fails with {@link NotJson}, which says where and never repeats what was sent. */
    JsonNode object(Buffer body) throws NotJson {
        JsonNode node;
        try {
            node = mapper.readTree(body.getBytes());
        } catch (JsonProcessingException malformed) {
            throw new NotJson(where(malformed.getLocation()));
        } catch (IOException notText) {
            throw new NotJson("The body is not UTF-8.");
        }
        if (node == null || node.isMissingNode()) {
            throw new NotJson("The body is empty; a JSON object is wanted.");
        }
        if (!node.isObject()) {
            throw new NotJson("The body must be a JSON object.");
        }
        return node;
    }

    private static String where(JsonLocation location) {
        String place = location == null
                ? "."
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr() + ".";
        return "The body is not valid JSON, or names a member twice," + place;
    }

    /** The body cannot be read. */
    static final class NotJson extends Exception {

        NotJson(String detail) {
            super(detail);
        }

        String detail() {
            return String.valueOf(getMessage());
        }
    }
}
