package io.quittance.http;

/** A text in each language that pages are written in. */
record PageText(String english, String chinese) {

    String in(Language language) {
        return switch (language) {
            case ENGLISH -> english;
            case CHINESE -> chinese;
        };
    }
}
