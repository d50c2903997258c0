package io.quittance.psp;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The members of a JSON document that somebody reads, named by JSON pointers (RFC 6901). Made once and used for every
 * document, by any thread.
 *
 * <p>A token of digits names the member of this name or, in an array, the element of this number. The token {@code *}
 * names each element of an array.
 */
public final class JsonPaths {

    /** Elements of an array that somebody reads; a document with more is not read. No PSP sends as many at once. */
    static final int ELEMENTS_MAX = 256;

    /** Characters of a name that can be asked for. */
    private static final int NAME_CHARS_MAX = 256;

    private static final String EACH = "*";

    private final List<String> texts;
    private final List<String> bytes;
    private final Node root = new Node("");

    private JsonPaths(List<String> texts, List<String> bytes) {
        this.texts = List.copyOf(texts);
        this.bytes = List.copyOf(bytes);
        this.texts.forEach(this::wanted);
        this.bytes.forEach(pointer -> wanted(pointer).keepsBytes = true);
    }

    /**
     * Whatever stands at these places is kept: of objects and arrays only what other pointers name in them, and the rest
     * as it is. A text over 8 KiB, or with U+0000 or half a character, and a number that is not a long are there and are
     * neither text nor number.
     *
     * @throws IllegalArgumentException if one is not a pointer to something inside of the document, or has a name of more
     *     than 256 characters
     */
    public static JsonPaths of(String... pointers) {
        return new JsonPaths(List.of(pointers), List.of());
    }

    /**
     * The same and one more, where a text is kept as an array with a byte for each character: for what may be too long
     * for a text. It has to be ASCII, escaped or not.
     */
    public JsonPaths andBytes(String pointer) {
        List<String> more = new ArrayList<>(bytes);
        more.add(pointer);
        return new JsonPaths(texts, more);
    }

    Node root() {
        return root;
    }

    private Node wanted(String pointer) {
        Node node = root;
        for (String token : tokens(inside(pointer))) {
            node = node.childFor(token);
        }
        return node;
    }

    private static List<String> tokens(String pointer) {
        List<String> tokens = new ArrayList<>();
        for (String token : pointer.substring(1).split("/", -1)) {
            tokens.add(token.replace("~1", "/").replace("~0", "~"));
        }
        return tokens;
    }

    /**
     * One place of a document that was read, to be asked for its value many times.
     *
     * @throws IllegalArgumentException if it is not a pointer to something inside of the document
     */
    public static Place place(String pointer) {
        return new Place(pointer, tokens(inside(pointer)));
    }

    private static String inside(String pointer) {
        if (!pointer.startsWith("/")) {
            throw new IllegalArgumentException("a pointer starts with a slash and names a member, unlike " + pointer);
        }
        return pointer;
    }

    /**
     * Where something stands.
     *
     * @param pointer as it was written
     * @param tokens its names and numbers, in turn
     */
    public record Place(String pointer, List<String> tokens) {

        public Place {
            tokens = List.copyOf(tokens);
        }

        /** What stands there; null if there is nothing. */
        public @Nullable Object in(JsonObject document) {
            Object at = document;
            for (String token : tokens) {
                if (at instanceof JsonObject object) {
                    at = object.getValue(token);
                } else if (at instanceof JsonArray array) {
                    at = element(array, token);
                } else {
                    return null;
                }
            }
            return at;
        }

        private static @Nullable Object element(JsonArray array, String token) {
            int position = position(token);
            return position >= 0 && position < array.size() ? array.getValue(position) : null;
        }
    }

    /** Of an element; minus one for a token that is no number of one. */
    private static int position(String token) {
        return token.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(token) : -1;
    }

    /** Something that was asked for, or is on the way to it. It does not change once it was built. */
    static final class Node {

        private final String name;
        private final byte[] utf8;
        private final int number;
        private Node[] children = {};
        private boolean keepsBytes;

        private Node(String name) {
            if (name.length() > NAME_CHARS_MAX) {
                throw new IllegalArgumentException("a name has more than " + NAME_CHARS_MAX + " characters");
            }
            this.name = name;
            this.utf8 = name.getBytes(StandardCharsets.UTF_8);
            this.number = position(name);
        }

        private Node childFor(String childName) {
            for (Node child : children) {
                if (child.name.equals(childName)) {
                    return child;
                }
            }
            Node child = new Node(childName);
            children = Arrays.copyOf(children, children.length + 1);
            children[children.length - 1] = child;
            return child;
        }

        String name() {
            return name;
        }

        boolean keepsBytes() {
            return keepsBytes;
        }

        /** The member whose name is written in these bytes, without escapes. */
        @Nullable Node member(byte[] json, int from, int to) {
            for (Node child : children) {
                if (Arrays.equals(json, from, to, child.utf8, 0, child.utf8.length)) {
                    return child;
                }
            }
            return null;
        }

        @Nullable Node member(CharSequence memberName) {
            for (Node child : children) {
                if (child.name.contentEquals(memberName)) {
                    return child;
                }
            }
            return null;
        }

        @Nullable Node element(int position) {
            for (Node child : children) {
                if (child.number == position || child.name.equals(EACH)) {
                    return child;
                }
            }
            return null;
        }
    }
}
