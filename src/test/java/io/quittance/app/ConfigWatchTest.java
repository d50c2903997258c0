package io.quittance.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quittance.config.Config;
import io.quittance.config.InvalidConfig;
import io.quittance.psp.InvalidSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConfigWatchTest {

    private static final long SECONDS_MAX = 20;

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<Supplier<Config>> looks = new LinkedBlockingQueue<>();
    private final Semaphore asked = new Semaphore(0);
    private final List<Config> applied = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ConfigWatch.class);
    private ConfigWatch watched;
    private volatile Consumer<Config> onChange = applied::add;

    @BeforeEach
    void tapeTheLog() {
        logger.setAdditive(false);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() throws Exception {
        looks.add(ConfigWatchTest::original);
        if (watched != null) {
            watched.close().toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
        }
        vertx.close().toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    @Test
    void what_does_not_change_is_not_handed_on() throws Exception {
        watch();
        looksFind(ConfigWatchTest::original, ConfigWatchTest::original, ConfigWatchTest::original);
        assertThat(applied).isEmpty();
    }

    @Test
    void a_change_is_handed_on_once_when_it_was_seen_twice() throws Exception {
        watch();
        looksFind(() -> withKey("a"));
        assertThat(applied).isEmpty();
        looksFind(() -> withKey("a"), () -> withKey("a"), () -> withKey("a"));
        assertThat(applied).containsExactly(withKey("a"));
    }

    @Test
    void what_is_still_being_written_is_not_taken_for_finished() throws Exception {
        watch();
        looksFind(ConfigWatchTest::original, () -> withKey("half"), () -> withKey("whole"), () -> withKey("whole"));
        assertThat(applied).containsExactly(withKey("whole"));
    }

    @Test
    void mistakes_are_told_once_and_what_comes_after_them_is_taken() throws Exception {
        watch();
        looksFind(ConfigWatchTest::broken, ConfigWatchTest::broken, ConfigWatchTest::broken);
        assertThat(applied).isEmpty();
        assertThat(errors()).singleElement().asString().contains("psp[0]: it is wrong", "stays");
        looksFind(() -> withKey("b"), () -> withKey("b"));
        assertThat(applied).containsExactly(withKey("b"));
    }

    @Test
    void a_configuration_that_an_adapter_refuses_is_told_once() throws Exception {
        onChange = config -> {
            throw new InvalidSettings(List.of("psp[0] (stripe, acme): api_key is missing"));
        };
        watch();
        looksFind(() -> withKey("c"), () -> withKey("c"), () -> withKey("c"), () -> withKey("c"));
        assertThat(errors()).singleElement().asString().contains("api_key is missing");
    }

    @Test
    void a_bug_in_the_reader_does_not_end_the_watch() throws Exception {
        watch();
        looksFind(() -> {
            throw new IllegalStateException("a bug");
        });
        looksFind(() -> withKey("d"), () -> withKey("d"));
        assertThat(applied).containsExactly(withKey("d"));
    }

    @Test
    void what_is_found_after_the_end_changes_nothing() throws Exception {
        ConfigWatch watch = watch();
        looksFind(() -> withKey("e"));
        CompletableFuture<Future<Void>> closing = new CompletableFuture<>();
        looks.add(() -> {
            closing.complete(watch.close());
            return withKey("e");
        });
        Future<Void> ended = closing.get(SECONDS_MAX, TimeUnit.SECONDS);
        ended.toCompletionStage().toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
        assertThat(applied).isEmpty();
    }

    private ConfigWatch watch() {
        watched = new ConfigWatch(vertx, this::nextLook, original(), config -> onChange.accept(config));
        return watched;
    }

    private Config nextLook() {
        asked.release();
        try {
            return looks.take().get();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Lets it look so often, and waits until it has begun the look after: then it is done with these. */
    @SafeVarargs
    private void looksFind(Supplier<Config>... found) throws InterruptedException {
        for (Supplier<Config> one : found) {
            assertThat(asked.tryAcquire(1, SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            looks.add(one);
        }
        assertThat(asked.tryAcquire(1, SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        asked.release();
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Config original() {
        return withKey("first");
    }

    private static Config broken() {
        throw new InvalidConfig("file", List.of("psp[0]: it is wrong"));
    }

    private static Config withKey(String key) {
        String yaml = """
                ops: {reload_poll: PT0.01S}
                psp:
                  - {name: stripe, account: acme, api_base: "http://127.0.0.1:1", api_key: %s, webhook_secrets: [x]}
                """.formatted(key);
        return Config.parse(yaml, Path.of(""), Map.of(), Config.Mode.DEV);
    }
}
