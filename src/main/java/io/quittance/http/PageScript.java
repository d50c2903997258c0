package io.quittance.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The script of the result page. It stands in the page, so that both are always of one version, and is known to the
 * browser by its hash.
 */
final class PageScript {

    static final String RESOURCE = "/page.js";

    static final String TEXT = packed();

    private PageScript() {}

    private static String packed() {
        try (InputStream in = PageScript.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not packed with the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
