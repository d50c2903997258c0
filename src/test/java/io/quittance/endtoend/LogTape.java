package io.quittance.endtoend;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Everything that is logged while it is open, by whomever, kept here and not printed. */
final class LogTape implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> tape = new ListAppender<>();
    private final List<Appender<ILoggingEvent>> usual = new ArrayList<>();
    private final List<Logger> chattyOnes = new ArrayList<>();

    LogTape() {
        root.iteratorForAppenders().forEachRemaining(usual::add);
        usual.forEach(root::detachAppender);
        tape.start();
        root.addAppender(tape);
    }

    /** With what these loggers say at level INFO, which tests leave out otherwise. */
    LogTape withInfoOf(String logger) {
        Logger chatty = (Logger) LoggerFactory.getLogger(logger);
        chatty.setLevel(Level.INFO);
        chattyOnes.add(chatty);
        return this;
    }

    List<ILoggingEvent> events() {
        return List.copyOf(tape.list);
    }

    @Override
    public void close() {
        root.detachAppender(tape);
        usual.forEach(root::addAppender);
        chattyOnes.forEach(logger -> logger.setLevel(null));
    }
}
