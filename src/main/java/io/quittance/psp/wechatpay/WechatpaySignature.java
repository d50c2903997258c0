package io.quittance.psp.wechatpay;

import io.quittance.psp.RawNotification;
import io.quittance.psp.RsaSha256;
import io.quittance.psp.SignedBytes;
import io.quittance.psp.SignedHeaders;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.util.Map;
import java.util.Optional;

/**
 * Checks the {@code Wechatpay-*} headers of notifications and of answers: RSA with SHA-256 over
 * {@code timestamp\nnonce\nbody\n} (pay.weixin.qq.com, "verifying signatures").
 */
final class WechatpaySignature {

    static final String SCHEME = "WECHATPAY2-SHA256-RSA2048";

    /** What WeChat Pay sends now and then to see whether bad signatures are refused. */
    private static final String PROBE = "WECHATPAY/SIGNTEST/";

    /** At this distance a message is refused; WeChat Pay's own limit. */
    private static final long STALE_FROM_SECONDS = 300;

    private static final int MAX_NONCE_CHARS = 128;

    private final Map<String, PublicKey> keys;

    WechatpaySignature(Map<String, PublicKey> keys) {
        this.keys = keys;
    }

    /** The time is checked last, so that STALE means a wrong clock or a replay and never a forgery. */
    Verification verify(RawNotification raw) {
        Optional<String> timestamp = SignedHeaders.single(raw.headers(), "Wechatpay-Timestamp");
        Optional<String> nonce = SignedHeaders.single(raw.headers(), "Wechatpay-Nonce");
        Optional<String> signature = SignedHeaders.single(raw.headers(), "Wechatpay-Signature");
        Optional<String> serial = SignedHeaders.single(raw.headers(), "Wechatpay-Serial");
        if (timestamp.isEmpty() || nonce.isEmpty() || signature.isEmpty() || serial.isEmpty()) {
            return malformed("a Wechatpay header is missing or repeated");
        }
        if (!hasOurScheme(raw)) {
            return malformed("Wechatpay-Signature-Type is not " + SCHEME);
        }
        long signedAt = SignedHeaders.epochSeconds(timestamp.get());
        // A line end in the nonce would let it take over a part of the body.
        if (signedAt < 0 || !isVisibleAscii(nonce.get())) {
            return malformed("Wechatpay-Timestamp or Wechatpay-Nonce is not well-formed");
        }
        byte[] head = (timestamp.get() + "\n" + nonce.get() + "\n").getBytes(StandardCharsets.US_ASCII);
        SignedBytes message = sink -> {
            sink.update(head, 0, head.length);
            raw.bodyInto(sink);
            sink.update(head, head.length - 1, 1);
        };
        Optional<Refused> refused = check(serial.get(), message, signature.get());
        if (refused.isPresent()) {
            return refused.get();
        }
        long ageSeconds = Math.abs(raw.receivedAt().getEpochSecond() - signedAt);
        if (ageSeconds >= STALE_FROM_SECONDS) {
            return new Refused(Reason.STALE, "Wechatpay-Timestamp is " + ageSeconds + " s away from the receipt");
        }
        return new Verified(raw, "serial " + serial.get());
    }

    /** Empty if the signature of the message is right. */
    Optional<Refused> check(String serial, SignedBytes message, String signature) {
        if (signature.startsWith(PROBE)) {
            return Optional.of(new Refused(Reason.SIGNATURE_PROBE, "the signature is WeChat Pay's own test"));
        }
        PublicKey key = keys.get(serial);
        if (key == null) {
            return Optional.of(new Refused(Reason.UNKNOWN_KEY, "Wechatpay-Serial names a key that is not configured"));
        }
        Optional<byte[]> decoded = RsaSha256.decodeSignature(signature);
        if (decoded.isEmpty()) {
            return Optional.of(malformed("Wechatpay-Signature is not base64"));
        }
        return RsaSha256.verify(key, message, decoded.get())
                ? Optional.empty()
                : Optional.of(new Refused(Reason.BAD_SIGNATURE, "Wechatpay-Signature does not match the body"));
    }

    /** An absent type means the one scheme that there is. */
    private static boolean hasOurScheme(RawNotification raw) {
        return !raw.headers().contains("Wechatpay-Signature-Type")
                || SignedHeaders.single(raw.headers(), "Wechatpay-Signature-Type")
                        .filter(SCHEME::equals)
                        .isPresent();
    }

    private static boolean isVisibleAscii(String text) {
        return text.length() <= MAX_NONCE_CHARS && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    private static Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED_SIGNATURE, problem);
    }
}
