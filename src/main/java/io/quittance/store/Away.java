package io.quittance.store;

import io.quittance.message.Unavailable;
import io.vertx.sqlclient.DatabaseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The database does not do it now; later it may, and the same may be asked again. */
public final class Away extends RuntimeException {

    /**
     * Classes of SQLSTATE: 08 connection, 40 deadlock and serialization, 53 out of resources, 55 a lock is not to be had,
     * 57 operator intervention (shutdown, restart, a statement that took too long).
     */
    private static final List<String> PASSING = List.of("08", "40", "53", "55", "57");

    public Away(Throwable cause) {
        super("the database does not answer", cause);
    }

    /** Tells what passes from what is wrong with the statement or with our own code, which stays as it is. */
    public static Throwable understand(Throwable failure) {
        if (failure instanceof DatabaseException database) {
            return passes(database.getSqlState()) ? new Away(failure) : failure;
        }
        return isSaidAlreadyOrOurs(failure) ? failure : new Away(failure);
    }

    /** The same as the asker is to hear it: what passes may be tried again, and comes with this message. */
    public static Throwable orTryAgain(Throwable failure, String message) {
        return understand(failure) instanceof Away ? new Unavailable(message, failure) : failure;
    }

    private static boolean passes(@Nullable String sqlState) {
        return sqlState != null && PASSING.stream().anyMatch(sqlState::startsWith);
    }

    private static boolean isSaidAlreadyOrOurs(Throwable failure) {
        return failure instanceof Away
                || failure instanceof Unavailable
                || failure instanceof Error
                || failure instanceof ClassCastException
                || failure instanceof IllegalArgumentException
                || failure instanceof IndexOutOfBoundsException
                || failure instanceof NullPointerException;
    }
}
