package io.quittance.config;

import java.util.List;
import java.util.Map;

/**
 * A value of the file before anybody knows what it should be. Scalars stay as they are written, because an account number
 * such as {@code 0012} or {@code 12E4} is no number.
 */
sealed interface Node {

    /** The line in the file, from 1; 0 if the value does not come from the file. */
    int line();

    record Text(String value, int line) implements Node {}

    record Items(List<Node> nodes, int line) implements Node {}

    record Tree(Map<String, Node> members, int line) implements Node {
        static final Tree EMPTY = new Tree(Map.of(), 0);
    }

    /** A key without a value, which is the same as no key. */
    record Nothing(int line) implements Node {}

    /** A value that could not be had. The mistake is on the list, and nothing more is to be said about it. */
    record Broken(int line) implements Node {}
}
