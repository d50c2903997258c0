package io.quittance.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads YAML into nodes. */
final class YamlTree {

    private final YAMLParser parser;
    private final Consumer<String> mistakes;

    private YamlTree(YAMLParser parser, Consumer<String> mistakes) {
        this.parser = parser;
        this.mistakes = mistakes;
    }

    /** Reads the whole text. What is not YAML, or not a mapping, becomes a mistake. */
    static Node.Tree read(String yaml, Consumer<String> mistakes) {
        try (YAMLParser parser = new YAMLFactory().createParser(yaml)) {
            return new YamlTree(parser, mistakes).root();
        } catch (JsonProcessingException malformed) {
            // The further lines of the message quote the file, and with it perhaps a secret.
            String reason = malformed.getOriginalMessage().lines().findFirst().orElse("");
            int line = malformed.getLocation() == null
                    ? 0
                    : malformed.getLocation().getLineNr();
            mistakes.accept("line " + line + ": this is not YAML (" + reason + ")");
            return Node.Tree.EMPTY;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private Node.Tree root() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            return Node.Tree.EMPTY;
        }
        if (first != JsonToken.START_OBJECT) {
            mistakes.accept("line " + line() + ": the file must begin with a key, such as \"http:\"");
            return Node.Tree.EMPTY;
        }
        return tree("");
    }

    private Node value(String path) throws IOException {
        if (parser.isCurrentAlias()) {
            mistakes.accept(path + " (line " + line() + "): references (*) are not understood; write the value out");
            return new Node.Broken(line());
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> tree(path + ".");
            case START_ARRAY -> items(path);
            case VALUE_NULL -> new Node.Nothing(line());
            default -> new Node.Text(parser.getText(), line());
        };
    }

    private Node.Tree tree(String prefix) throws IOException {
        int line = line();
        Map<String, Node> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            Node before = members.put(key, value(prefix + key));
            if (before != null) {
                mistakes.accept(prefix + key + " (line " + keyLine + "): stands there twice, first in line "
                        + before.line() + "; keep one");
            }
        }
        return new Node.Tree(members, line);
    }

    private Node.Items items(String path) throws IOException {
        int line = line();
        List<Node> nodes = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            nodes.add(value(path + "[" + nodes.size() + "]"));
        }
        return new Node.Items(nodes, line);
    }

    private int line() {
        JsonParser at = parser;
        return at.currentTokenLocation().getLineNr();
    }
}
