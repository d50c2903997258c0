package io.quittance.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Who may use the merchant API. Only hashes of keys are known here, so a leaked configuration opens nothing. */
public final class Merchants {

    private static final String SCHEME = "bearer ";

    private volatile List<Entry> entries;

    /**
     * @param merchantIdByKeyHash the SHA-256 of an API key in hex, to the merchant whose key it is; a merchant may have
     *     several, so that keys can be changed without a gap
     */
    public Merchants(Map<String, String> merchantIdByKeyHash) {
        this.entries = entries(merchantIdByKeyHash);
    }

    /** Puts other keys in place of these. */
    public void replace(Map<String, String> merchantIdByKeyHash) {
        entries = entries(merchantIdByKeyHash);
    }

    private static List<Entry> entries(Map<String, String> merchantIdByKeyHash) {
        return merchantIdByKeyHash.entrySet().stream()
                .map(entry -> new Entry(hash(entry.getKey()), entry.getValue()))
                .toList();
    }

    /**
     * The merchant that sends this header. All entries are compared, each in constant time.
     *
     * @param authorization all values of the Authorization header; more than one identifies nobody
     */
    Optional<String> authenticate(List<String> authorization) {
        if (authorization.size() != 1) {
            return Optional.empty();
        }
        String value = authorization.get(0);
        if (!value.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return Optional.empty();
        }
        String key = value.substring(SCHEME.length()).strip();
        byte[] wanted = Digests.sha256(key.getBytes(StandardCharsets.UTF_8));
        Optional<String> found = Optional.empty();
        for (Entry entry : entries) {
            if (MessageDigest.isEqual(entry.keyHash, wanted)) {
                found = Optional.of(entry.merchantId);
            }
        }
        return found;
    }

    private static byte[] hash(String hex) {
        byte[] hash;
        try {
            hash = HexFormat.of().parseHex(hex.toLowerCase(Locale.ROOT));
        } catch (IllegalArgumentException notHex) {
            throw new IllegalArgumentException("api_key_sha256 must be 64 hex characters", notHex);
        }
        if (hash.length != Digests.SHA256_BYTES) {
            throw new IllegalArgumentException("api_key_sha256 must be 64 hex characters");
        }
        return hash;
    }

    private static final class Entry {

        private final byte[] keyHash;
        private final String merchantId;

        Entry(byte[] keyHash, String merchantId) {
            this.keyHash = keyHash;
            this.merchantId = merchantId;
        }
    }
}
