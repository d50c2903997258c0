package io.quittance.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant to write. */
final class Spelling {

    private Spelling() {}

    /** Words to append to a complaint about {@code word}: the nearest candidate, or nothing if none is near. */
    static String didYouMean(String word, Collection<String> candidates) {
        return closest(word, candidates)
                .map(candidate -> "; did you mean \"" + candidate + "\"?")
                .orElse("");
    }

    private static Optional<String> closest(String word, Collection<String> candidates) {
        // Two letters that changed places are two changes.
        int near = Math.max(2, word.length() / 3);
        return candidates.stream()
                .filter(candidate -> distance(word, candidate) <= near)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** The number of letters to insert, remove or replace on the way from one word to the other (Levenshtein). */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
