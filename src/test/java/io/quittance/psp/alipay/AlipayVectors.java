package io.quittance.psp.alipay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.FormBody;
import io.quittance.psp.RsaKeys;
import io.quittance.psp.RsaSha256;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs one published Alipay vector. */
public final class AlipayVectors {

    /** What PKCS#1 puts before a SHA-256 digest (RFC 8017, section 9.2, note 1). */
    private static final String DIGEST_INFO = "3031300d060960864801650304020105000420";

    private AlipayVectors() {}

    public static void check(JsonObject vector, Path folder) throws IOException {
        switch (vector.getString("kind")) {
            case "notification-digest" -> digest(vector, folder);
            case "response" -> response(vector, folder);
            case "response-base-string" -> baseString(vector);
            default -> throw new AssertionError("unknown kind");
        }
    }

    /** Some fields are not published, so that the text cannot be built: its digest was published in its place. */
    private static void digest(JsonObject vector, Path folder) {
        Map<String, String> fields = new LinkedHashMap<>();
        vector.getJsonObject("form_redacted").forEach(field -> fields.put(field.getKey(), (String) field.getValue()));
        AlipayForm form =
                AlipayForm.decode(Buffer.buffer(FormBody.encode(fields))).orElseThrow();
        String text = new String(form.signedBytes(true), StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("sign=").doesNotContain("sign_type=").contains("&notify_id=");
        byte[] signature =
                RsaSha256.decodeSignature(vector.getString("signature")).orElseThrow();
        byte[] digestInfo = HexFormat.of().parseHex(DIGEST_INFO + vector.getString("base_string_sha256"));
        assertThat(isSigned(key(vector, folder), digestInfo, signature)).isTrue();
        digestInfo[digestInfo.length - 1] ^= 1;
        assertThat(isSigned(key(vector, folder), digestInfo, signature)).isFalse();
    }

    private static void response(JsonObject vector, Path folder) {
        baseString(vector);
        AlipaySignature signature = new AlipaySignature(List.of(key(vector, folder)));
        String body = vector.getString("response_body");
        String node = vector.getString("response_key");
        assertThat(AlipayAnswer.verified(Buffer.buffer(body), node, signature)).isPresent();
        Buffer changed = Buffer.buffer(body.replace("\"msg\":\"S", "\"msg\":\"s"));
        assertThat(AlipayAnswer.verified(changed, node, signature)).isEmpty();
    }

    private static void baseString(JsonObject vector) {
        Buffer body = Buffer.buffer(vector.getString("response_body"));
        byte[] expected =
                vector.getJsonObject("expected").getString("base_string").getBytes(StandardCharsets.UTF_8);
        assertThat(AlipayAnswer.signedBytes(body, vector.getString("response_key")))
                .hasValueSatisfying(bytes -> assertThat(bytes).isEqualTo(expected));
    }

    private static PublicKey key(JsonObject vector, Path folder) {
        String file = vector.getJsonObject("key").getString("public_key_pem_file");
        try {
            return RsaKeys.publicKey(Files.readString(folder.resolve(file)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isSigned(PublicKey key, byte[] digestInfo, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance("NONEwithRSA");
            verifier.initVerify(key);
            verifier.update(digestInfo);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
