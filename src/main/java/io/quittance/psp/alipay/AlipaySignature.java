package io.quittance.psp.alipay;

import io.quittance.psp.RawNotification;
import io.quittance.psp.RsaSha256;
import io.quittance.psp.Verification;
import io.quittance.psp.Verification.Reason;
import io.quittance.psp.Verification.Refused;
import io.quittance.psp.Verification.Verified;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;

/**
 * Checks the RSA2 signature of notifications and of answers. Only the body's fields take part, never the address; the
 * algorithm is RSA2 whatever the notice says, because RSA would be SHA-1.
 */
final class AlipaySignature {

    private static final String SIGN_TYPE = "RSA2";

    private final List<PublicKey> keys;

    AlipaySignature(AlipaySettings settings) {
        this(settings.alipayPublicKeys());
    }

    AlipaySignature(List<PublicKey> keys) {
        this.keys = keys;
    }

    Verification verify(RawNotification raw) {
        Optional<AlipayForm> form = AlipayForm.decode(raw.body());
        if (form.isEmpty()) {
            return malformed("the body is not a form in utf-8 or gbk with each field once");
        }
        if (!SIGN_TYPE.equals(form.get().get("sign_type"))) {
            return malformed("sign_type must be " + SIGN_TYPE);
        }
        Optional<byte[]> signature = RsaSha256.decodeSignature(form.get().get("sign"));
        if (signature.isEmpty()) {
            return malformed("sign is not base64");
        }
        if (form.get().isAmbiguous()) {
            return malformed("the signed text could be cut into other fields");
        }
        int matching = matchingKey(form.get(), signature.get());
        return matching < 0
                ? new Refused(Reason.BAD_SIGNATURE, "sign matches none of the keys")
                : new Verified(raw, label(matching), form.get());
    }

    /** The position of the first key under which the signature is right, or minus one. */
    int matchingKey(byte[] message, byte[] signature) {
        for (int i = 0; i < keys.size(); i++) {
            if (RsaSha256.verify(keys.get(i), message, signature)) {
                return i;
            }
        }
        return -1;
    }

    private int matchingKey(AlipayForm form, byte[] signature) {
        int matching = matchingKey(form.signedBytes(true), signature);
        return matching < 0 && form.hasEmptyValue() ? matchingKey(form.signedBytes(false), signature) : matching;
    }

    private static String label(int position) {
        return "key " + (position + 1);
    }

    private static Refused malformed(String problem) {
        return new Refused(Reason.MALFORMED_SIGNATURE, problem);
    }
}
