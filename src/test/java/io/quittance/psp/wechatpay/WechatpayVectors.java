package io.quittance.psp.wechatpay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.RawNotification;
import io.quittance.psp.RsaKeys;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.TestKeys;
import io.quittance.psp.Translation;
import io.quittance.psp.Verification.Verified;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;

/** Runs one published WeChat Pay vector. */
public final class WechatpayVectors {

    private WechatpayVectors() {}

    public static void check(JsonObject vector, Path folder) throws IOException {
        switch (vector.getString("kind")) {
            case "notification" -> notification(vector, folder);
            case "rsa-verify" -> rsa(vector, folder);
            case "aead-decrypt" -> decrypt(vector);
            case "aead-decrypt-certificates" -> certificates(vector);
            default -> throw new AssertionError("unknown kind");
        }
    }

    private static void notification(JsonObject vector, Path folder) throws IOException {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap();
        JsonObject request = vector.getJsonObject("request");
        request.getJsonObject("headers").forEach(header -> headers.add(header.getKey(), (String) header.getValue()));
        RawNotification raw = new RawNotification(
                headers, Buffer.buffer(request.getString("body")), Instant.ofEpochSecond(vector.getLong("clock")));
        JsonObject expected = vector.getJsonObject("expected");
        boolean valid = expected.getString("verdict").equals("valid");
        assertThat(new WechatpaySignature(keys(vector, folder)).verify(raw) instanceof Verified)
                .isEqualTo(valid);
        if (!valid) {
            return;
        }
        JsonObject resource = new JsonObject(request.getString("body")).getJsonObject("resource");
        assertThat(WechatpayCipher.open(apiV3Key(vector), resource).map(WechatpayVectors::utf8))
                .contains(expected.getString("plaintext"));
        WechatpaySettings settings = new WechatpaySettings(
                "https://api.example", "1", "wx", apiV3Key(vector), "S", TestKeys.OWN.getPrivate(), Map.of());
        assertThat(new WechatpayEvents("acme", settings).translate(raw))
                .isEqualTo(new Translation.NotOurs(expected.getString("event_id"), expected.getString("event_type")));
    }

    private static void rsa(JsonObject vector, Path folder) throws IOException {
        WechatpaySignature signature = new WechatpaySignature(keys(vector, folder));
        byte[] message = vector.getString("message").getBytes(StandardCharsets.UTF_8);
        boolean valid = vector.getJsonObject("expected").getString("verdict").equals("valid");
        assertThat(signature
                        .check(vector.getString("serial"), SignedBytes.of(message), vector.getString("signature"))
                        .isEmpty())
                .isEqualTo(valid);
    }

    private static void decrypt(JsonObject vector) {
        Optional<byte[]> plain = WechatpayCipher.decrypt(
                apiV3Key(vector),
                vector.getString("associated_data"),
                vector.getString("nonce"),
                vector.getString("ciphertext").getBytes(StandardCharsets.US_ASCII));
        assertThat(plain.map(WechatpayVectors::utf8))
                .isEqualTo(Optional.ofNullable(vector.getJsonObject("expected").getString("plaintext")));
    }

    private static void certificates(JsonObject vector) {
        JsonObject first = new JsonObject(vector.getString("response_body"))
                .getJsonArray("data")
                .getJsonObject(0);
        String pem = WechatpayCipher.open(apiV3Key(vector), first.getJsonObject("encrypt_certificate"))
                .map(WechatpayVectors::utf8)
                .orElseThrow();
        assertThat(RsaKeys.certificate(pem).getSerialNumber().toString(16))
                .isEqualToIgnoringCase(vector.getJsonObject("expected").getString("serial_no"));
    }

    private static Map<String, PublicKey> keys(JsonObject vector, Path folder) throws IOException {
        JsonObject key = vector.getJsonObject("key");
        String file = key.getString("platform_cert_pem_file", key.getString("public_key_pem_file"));
        return Map.of(key.getString("platform_serial"), RsaKeys.publicKey(Files.readString(folder.resolve(file))));
    }

    private static SecretKeySpec apiV3Key(JsonObject vector) {
        String text = vector.getJsonObject("key").getString("apiv3_key");
        return new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "AES");
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
