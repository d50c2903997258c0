package io.quittance.loadtest.gatling;

import io.quittance.loadtest.sender.AdyenSender;
import io.quittance.loadtest.sender.AlipaySender;
import io.quittance.loadtest.sender.Sender;
import io.quittance.loadtest.sender.StandardWebhooksSender;
import io.quittance.loadtest.sender.StripeSender;
import io.quittance.loadtest.sender.WechatpaySender;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What each PSP signs with. A key is a parameter, or stands in a file of keys under the same name, where a dot leads one
 * level down.
 */
final class PspKeys {

    static final List<String> PSPS = List.of("stripe", "alipay", "wechatpay", "adyen", "standardwebhooks");

    static final List<String> NAMES = List.of(
            "stripe.webhook_secret",
            "alipay.app_id",
            "alipay.seller_id",
            "alipay.alipay.private",
            "wechatpay.mch_id",
            "wechatpay.app_id",
            "wechatpay.api_v3_key",
            "wechatpay.platform_serial",
            "wechatpay.platform.private",
            "adyen.merchant_account",
            "adyen.hmac_key",
            "standardwebhooks.webhook_secret");

    private final PropertyReader properties;
    private final JsonObject file;

    private PspKeys(PropertyReader properties, JsonObject file) {
        this.properties = properties;
        this.file = file;
    }

    /**
     * The senders of these PSPs.
     *
     * @throws InvalidParameters if a key is missing or is none
     */
    static List<Sender> senders(List<String> psps, PropertyReader properties, Optional<Path> file) {
        PspKeys keys = new PspKeys(properties, file.map(PspKeys::read).orElseGet(JsonObject::new));
        List<Sender> senders = new ArrayList<>();
        for (String psp : psps) {
            keys.sender(psp).ifPresent(senders::add);
        }
        properties.finish();
        return senders;
    }

    private static JsonObject read(Path file) {
        try {
            return new JsonObject(Files.readString(file));
        } catch (IOException | DecodeException unreadable) {
            throw new InvalidParameters(List.of("keys: " + file + " is no JSON object that can be read ("
                    + String.valueOf(unreadable.getMessage())
                            .lines()
                            .findFirst()
                            .orElse("") + "); wanted: a file such as dev mode's data/sandbox-keys.json"));
        }
    }

    /** Empty if it has a mistake, which is kept. */
    private Optional<Sender> sender(String psp) {
        List<String> names =
                NAMES.stream().filter(name -> name.startsWith(psp + ".")).toList();
        List<String> missing =
                names.stream().filter(name -> text(name).isEmpty()).toList();
        if (!missing.isEmpty()) {
            properties.mistake(
                    String.join(", ", missing),
                    "missing; wanted: what signs notifications of this account, each as -DNAME=VALUE or all in a file"
                            + " with -Dkeys=FILE; or leave " + psp + " out of -Dpsps");
        }
        return missing.isEmpty() ? Optional.ofNullable(whole(psp)) : Optional.empty();
    }

    private Sender whole(String psp) {
        return switch (psp) {
            case "stripe" -> new StripeSender(text("stripe.webhook_secret"));
            case "alipay" ->
                new AlipaySender(
                        text("alipay.app_id"),
                        text("alipay.seller_id"),
                        parsed("alipay.alipay.private", PspKeys::rsa, "the base64 of an RSA key in PKCS#8"));
            case "wechatpay" ->
                new WechatpaySender(
                        text("wechatpay.mch_id"),
                        text("wechatpay.app_id"),
                        parsed("wechatpay.api_v3_key", PspKeys::apiV3Key, "exactly 32 characters"),
                        text("wechatpay.platform_serial"),
                        parsed("wechatpay.platform.private", PspKeys::rsa, "the base64 of an RSA key in PKCS#8"));
            case "adyen" ->
                new AdyenSender(
                        text("adyen.merchant_account"),
                        parsed("adyen.hmac_key", HexFormat.of()::parseHex, "an even number of hex digits"));
            case "standardwebhooks" ->
                parsed("standardwebhooks.webhook_secret", StandardWebhooksSender::of, "whsec_ and base64");
            default -> throw new IllegalArgumentException(psp);
        };
    }

    private interface Reading<T> {
        T read(String text) throws GeneralSecurityException;
    }

    /** Null if it cannot be read, which is kept; the key itself is never shown. */
    private <T> T parsed(String name, Reading<T> reading, String wanted) {
        try {
            return reading.read(text(name));
        } catch (GeneralSecurityException | IllegalArgumentException wrong) {
            properties.mistake(name, "cannot be read; wanted: " + wanted);
            return null;
        }
    }

    private static PrivateKey rsa(String text) throws GeneralSecurityException {
        return KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(text)));
    }

    private static String apiV3Key(String text) {
        if (text.length() != 32) {
            throw new IllegalArgumentException();
        }
        return text;
    }

    /** Empty if it is nowhere. */
    private String text(String name) {
        String given = properties.text(name);
        if (given != null) {
            return given;
        }
        JsonObject at = file;
        String[] path = name.split("\\.");
        for (int i = 0; i < path.length - 1; i++) {
            if (!(at.getValue(path[i]) instanceof JsonObject below)) {
                return "";
            }
            at = below;
        }
        return at.getValue(path[path.length - 1]) instanceof String text ? text : "";
    }
}
