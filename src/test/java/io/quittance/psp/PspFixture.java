package io.quittance.psp;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** What the tests that hold for every PSP need to know about one of them. */
public interface PspFixture {

    Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    String ATTEMPT = "0195b1c2d3e47f5a8b6c7d8e9f0a1b2c";
    String REFUND = "0195b1c2d3e47f5a8b6c7d8e9f0a1b2d";

    /** The settings that an adapter is made of that calls the PSP at this address. */
    JsonObject settingsFor(String address);

    /**
     * An adapter with these settings.
     *
     * @param http may be null where nothing is called
     * @throws InvalidSettings if they are wrong
     */
    PspAdapter adapter(JsonObject settings, PspHttp http, Clock clock);

    /** What the clock of an adapter says in a test that does not move it. */
    default Clock clock() {
        return CLOCK;
    }

    /** An adapter that calls the PSP at this address; http may be null where nothing is called. */
    default PspAdapter adapter(String address, PspHttp http) {
        return adapter(settingsFor(address), http, clock());
    }

    /** Settings that are right, for an address that nobody calls. */
    default JsonObject settings() {
        return settingsFor("https://api.example");
    }

    /**
     * An adapter with other settings, which calls nobody.
     *
     * @throws InvalidSettings if they are wrong
     */
    default PspAdapter adapter(JsonObject settings) {
        return adapter(settings, null, clock());
    }

    /** What the good notification's body says, after decryption where it is encrypted. */
    default Buffer plain() {
        return good().body();
    }

    /** A notification's body that says this. */
    default Buffer around(Buffer plain) {
        return plain;
    }

    /** A notification of a success, received at {@link #NOW}. */
    RawNotification good();

    /** The same, signed with a key that is not configured, under the name of one that is. */
    RawNotification signedByAStranger();

    /** A notification of each type that the PSP sends, about the attempt of {@link #good}. */
    List<PspEvent> events();

    /**
     * Whether the signature covers the byte at this position of the body of {@link #good}; a position outside of it stands
     * for what could be put around it. Where it does not, a change must tell nothing more than the body did, and may make
     * it refused or marked.
     */
    default boolean signs(int position) {
        return true;
    }

    /** The headers that the signature needs; empty if it stands in the body. */
    List<String> signatureHeaders();

    /** Good notifications whose time was changed after they were signed; empty if there is no time. */
    List<RawNotification> shifted();

    /** Status, content type and body of each acknowledgement, written out. */
    Map<Acknowledgement, String> acknowledgements();

    /** Whether creating a payment asks the PSP for anything. */
    default boolean creationCallsThePsp() {
        return true;
    }

    /** Whether the PSP, when it is asked, says what was paid and went back, rather than its notifications alone. */
    default boolean answersWithMoney() {
        return true;
    }

    /** Answers a call with this status and JSON, signed as the PSP does it. */
    void answer(HttpServerRequest request, int status, Buffer body);

    /** Whether the PSP signs its answers to our calls. */
    default boolean signsAnswers() {
        return true;
    }

    /** A good answer that the PSP did not sign. Returns false for a PSP whose answers are not signed. */
    boolean answerUnsigned(HttpServerResponse response);

    /** Notifications by name that the PSP's format has room for and that cost a careless reader much, signed. */
    default Map<String, RawNotification> hostile() {
        return Map.of();
    }
}
