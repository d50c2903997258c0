package io.quittance.endtoend;

import io.quittance.psp.sandbox.SandboxKeys;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs whatever it is given with the sandbox's keys: for bodies that no PSP would send, and that are signed all the same. */
final class Signer {

    private final JsonObject keys;

    Signer(SandboxKeys keys) {
        this.keys = keys.toJson();
    }

    Notification stripe(String body, long epochSeconds) {
        String secret = keys.getJsonObject("stripe").getString("webhook_secret");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] hash = mac.doFinal((epochSeconds + "." + body).getBytes(StandardCharsets.UTF_8));
            return json("stripe", body)
                    .withHeader(
                            "Stripe-Signature",
                            "t=" + epochSeconds + ",v1=" + HexFormat.of().formatHex(hash));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    Notification wechatpay(String body, long epochSeconds) {
        JsonObject wechatpay = keys.getJsonObject("wechatpay");
        String message = epochSeconds + "\nnonce\n" + body + "\n";
        return json("wechatpay", body)
                .withHeader("Wechatpay-Serial", wechatpay.getString("platform_serial"))
                .withHeader("Wechatpay-Timestamp", Long.toString(epochSeconds))
                .withHeader("Wechatpay-Nonce", "nonce")
                .withHeader(
                        "Wechatpay-Signature",
                        rsa(wechatpay.getJsonObject("platform").getString("private"), message));
    }

    /** A form of these fields, signed. */
    Notification alipay(Map<String, String> fields) {
        TreeMap<String, String> all = new TreeMap<>(fields);
        String message = all.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining("&"));
        String key = keys.getJsonObject("alipay").getJsonObject("alipay").getString("private");
        all.put("sign_type", "RSA2");
        all.put("sign", rsa(key, message));
        String form = all.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return new Notification(
                "/v1/notify/alipay/" + Stage.ACCOUNT,
                MultiMap.caseInsensitiveMultiMap().add("Content-Type", "application/x-www-form-urlencoded"),
                Buffer.buffer(form));
    }

    private static Notification json(String psp, String body) {
        return new Notification(
                "/v1/notify/" + psp + "/" + Stage.ACCOUNT,
                MultiMap.caseInsensitiveMultiMap().add("Content-Type", "application/json"),
                Buffer.buffer(body));
    }

    private static String rsa(String pkcs8, String message) {
        try {
            PrivateKey key = KeyFactory.getInstance("RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pkcs8)));
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(message.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
