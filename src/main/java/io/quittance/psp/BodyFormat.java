package io.quittance.psp;

/** The kind of body that a PSP's notifications have. */
public enum BodyFormat {
    JSON("application/json"),
    FORM("application/x-www-form-urlencoded");

    private final String mediaType;

    BodyFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The media type, without parameters and in lower case. */
    public String mediaType() {
        return mediaType;
    }
}
