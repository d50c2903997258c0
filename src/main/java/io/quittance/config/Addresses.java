package io.quittance.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be said about a web address without asking a name server. */
final class Addresses {

    private Addresses() {}

    /** What is wrong with a web address; null if nothing is. */
    static @Nullable String problem(String address, boolean allowPrivate) {
        String host = host(address);
        if (host == null) {
            return "must be an absolute address that begins with http:// or https://";
        }
        if (!allowPrivate && isPrivate(host)) {
            return "is on a private address; set allow_private: true if that is meant";
        }
        return null;
    }

    private static @Nullable String host(String address) {
        try {
            URI uri = new URI(address.replace("{", "%7B").replace("}", "%7D"));
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            return web ? uri.getHost() : null;
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static boolean isPrivate(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        if (lower.equals("localhost") || lower.endsWith(".localhost")) {
            return true;
        }
        if (lower.startsWith("[")) {
            return lower.matches("\\[(::1?|f[cd].*|fe[89ab].*|::ffff:.*)]");
        }
        return lower.matches("\\d+\\.\\d+\\.\\d+\\.\\d+") && isPrivateIpv4(lower.split("\\."));
    }

    private static boolean isPrivateIpv4(String[] parts) {
        byte[] bytes = new byte[4];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        try {
            InetAddress address = InetAddress.getByAddress(bytes);
            return address.isLoopbackAddress()
                    || address.isSiteLocalAddress()
                    || address.isLinkLocalAddress()
                    || address.isAnyLocalAddress();
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
