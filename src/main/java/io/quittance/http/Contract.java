package io.quittance.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The OpenAPI document: what it says is what is mounted, so the two cannot differ. */
final class Contract {

    static final String RESOURCE = "/openapi.yaml";

    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "delete", "patch", "options");

    private final Buffer text;
    private final List<Operation> operations;

    /** @throws IllegalArgumentException if the text is no OpenAPI document with paths and an operationId everywhere */
    Contract(Buffer text) {
        this.text = text;
        this.operations = operations(text);
    }

    /** The document that is packed with the program. */
    static Contract packed() {
        try (InputStream in = Contract.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is not packed with the program");
            }
            return new Contract(Buffer.buffer(in.readAllBytes()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The document as it is served. */
    Buffer text() {
        return text;
    }

    List<Operation> operations() {
        return operations;
    }

    /**
     * Mounts each operation on its handler, and behind each path an answer to all other methods.
     *
     * @throws IllegalStateException naming every operation without a handler, and every handler without an operation
     */
    void mount(Router router, Map<String, Handler<RoutingContext>> handlers) {
        Set<String> named = operations.stream().map(Operation::id).collect(Collectors.toCollection(TreeSet::new));
        Set<String> unhandled = new TreeSet<>(named);
        unhandled.removeAll(handlers.keySet());
        Set<String> unnamed = new TreeSet<>(handlers.keySet());
        unnamed.removeAll(named);
        if (!unhandled.isEmpty() || !unnamed.isEmpty()) {
            throw new IllegalStateException("openapi.yaml and the program differ: operations without a handler "
                    + unhandled + ", handlers without an operation " + unnamed);
        }
        for (Operation operation : operations) {
            router.route(operation.method(), operation.routePath()).handler(handlers.get(operation.id()));
        }
        operations.stream().map(Operation::routePath).distinct().forEach(path -> router.route(path)
                .handler(context -> methodNotAllowed(path).send(context)));
    }

    private Answer methodNotAllowed(String path) {
        String allowed = operations.stream()
                .filter(operation -> operation.routePath().equals(path))
                .map(operation -> operation.method().name())
                .sorted()
                .collect(Collectors.joining(", "));
        return Problem.METHOD_NOT_ALLOWED
                .answer("This address takes " + allowed + ".")
                .with("Allow", allowed)
                .closing();
    }

    private static List<Operation> operations(Buffer text) {
        JsonNode document;
        try {
            document = new YAMLMapper().readTree(text.getBytes());
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("openapi.yaml is not YAML: " + unreadable.getMessage(), unreadable);
        }
        List<Operation> operations = new ArrayList<>();
        document.path("paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member -> METHODS.contains(member.getKey()))
                .forEach(member -> operations.add(operation(path.getKey(), member.getKey(), member.getValue()))));
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("openapi.yaml has no paths");
        }
        long ids = operations.stream().map(Operation::id).distinct().count();
        if (ids != operations.size()) {
            throw new IllegalArgumentException("openapi.yaml uses an operationId twice");
        }
        return List.copyOf(operations);
    }

    private static Operation operation(String path, String method, JsonNode body) {
        String id = body.path("operationId").asText();
        if (id.isEmpty()) {
            throw new IllegalArgumentException("openapi.yaml: " + method + " " + path + " has no operationId");
        }
        return new Operation(HttpMethod.valueOf(method.toUpperCase(Locale.ROOT)), path, id);
    }

    /**
     * One operation of the document.
     *
     * @param path with parameters in braces
     */
    record Operation(HttpMethod method, String path, String id) {

        /** The path with parameters as the router wants them. */
        String routePath() {
            return path.replaceAll("\\{([a-z_]+)}", ":$1");
        }
    }
}
