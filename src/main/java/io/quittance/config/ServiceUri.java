package io.quittance.config;

import java.util.regex.Pattern;

/**
 * The address of a server, which may carry a password; it is shown without it.
 *
 * @param value the address as it is used, with the password
 */
public record ServiceUri(String value) {

    /** In dev mode, a server that the file leaves out and that dev mode brings itself. */
    public static final ServiceUri LEFT_OUT = new ServiceUri("");

    private static final Pattern USER_INFO_PASSWORD = Pattern.compile("(://[^:@/?#]*):.*@");
    private static final Pattern PARAMETER_PASSWORD = Pattern.compile("(?i)([?&][^=&]*password=)[^&]*");

    public boolean isLeftOut() {
        return value.isEmpty();
    }

    @Override
    public String toString() {
        String withoutUserInfo = USER_INFO_PASSWORD.matcher(value).replaceFirst("$1:" + Secret.REDACTED + "@");
        return PARAMETER_PASSWORD.matcher(withoutUserInfo).replaceAll("$1" + Secret.REDACTED);
    }
}
