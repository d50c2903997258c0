package io.quittance.http;

import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Somebody who reads server-sent events, one after the other, and waits for each. */
final class EventReader implements AutoCloseable {

    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private EventReader(HttpResponse<InputStream> response) {
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    static EventReader open(HttpRequest request) throws Exception {
        return new EventReader(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofInputStream()));
    }

    /** One event. */
    record Event(String name, String id, JsonObject data) {

        String status() {
            return data.getString("status");
        }
    }

    HttpResponse<InputStream> response() {
        return response;
    }

    /** The next event; fails if the stream ends before it. */
    Event next() {
        return nextIfAny().orElseThrow(() -> new AssertionError("the stream has ended"));
    }

    /** All events until the end of the stream; fails if the connection breaks instead. */
    List<Event> rest() {
        List<Event> all = new ArrayList<>();
        for (Optional<Event> next = nextIfAny(); next.isPresent(); next = nextIfAny()) {
            all.add(next.get());
        }
        return all;
    }

    /** The next line of any kind; null at the end of the stream. */
    String line() {
        try {
            return lines.readLine();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private Optional<Event> nextIfAny() {
        String name = "";
        String id = "";
        for (String line = line(); line != null; line = line()) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("id: ")) {
                id = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
                return Optional.of(new Event(name, id, new JsonObject(line.substring("data: ".length()))));
            }
        }
        return Optional.empty();
    }

    /** Goes away without a word. */
    @Override
    public void close() throws IOException {
        lines.close();
    }
}
