package io.quittance.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Everything that is logged from INFO up while it is open, kept here and not printed. */
public final class Logs implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Logger ours;
    private final Level levelBefore;
    private final ListAppender<ILoggingEvent> kept = new ListAppender<>();

    public Logs() {
        this("io.quittance");
    }

    /** @param logger of which nothing is printed, whatever its level otherwise is */
    public Logs(String logger) {
        ours = (Logger) LoggerFactory.getLogger(logger);
        levelBefore = ours.getLevel();
        kept.start();
        root.addAppender(kept);
        ours.addAppender(kept);
        ours.setAdditive(false);
        ours.setLevel(Level.INFO);
    }

    public List<String> lines() {
        return List.copyOf(kept.list).stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    public List<ILoggingEvent> withStackTrace() {
        return List.copyOf(kept.list).stream()
                .filter(event -> event.getThrowableProxy() != null)
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(kept);
        ours.detachAppender(kept);
        ours.setAdditive(true);
        ours.setLevel(levelBefore);
    }
}
