package io.quittance.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Reads a request's body up to a limit of bytes and of time. More than the limit is never in memory. */
final class BoundedBody {

    /** How long a body may take to come in. Silence is cut off by the server's idle limit, trickling by this one. */
    static final Duration BODY_TIME_MAX = Duration.ofSeconds(30);

    private static final int FIRST_BUFFER_BYTES_MAX = 16 * 1024;

    private final long limitBytes;
    private final Clock clock;

    BoundedBody(long limitBytes, Clock clock) {
        this.limitBytes = limitBytes;
        this.clock = clock;
    }

    /**
     * The whole body. Fails with {@link Unread}. Must be called
     * before the request's first chunk is delivered, which is to say from its handler.
     */
    Future<Buffer> read(HttpServerRequest request) {
        long declared = declaredLength(request);
        if (declared > limitBytes) {
            return Future.failedFuture(tooLarge());
        }
        if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        Instant deadline = clock.instant().plus(BODY_TIME_MAX);
        Buffer read = Buffer.buffer((int) Math.min(Math.max(declared, 0), FIRST_BUFFER_BYTES_MAX));
        Promise<Buffer> whole = Promise.promise();
        request.handler(chunk -> append(read, chunk, deadline, whole));
        request.endHandler(end -> whole.tryComplete(read));
        request.exceptionHandler(gone -> whole.tryFail(broken()));
        return whole.future();
    }

    private void append(Buffer read, Buffer chunk, Instant deadline, Promise<Buffer> whole) {
        if (whole.future().isComplete()) {
            return;
        }
        if ((long) read.length() + chunk.length() > limitBytes) {
            whole.tryFail(tooLarge());
            return;
        }
        if (clock.instant().isAfter(deadline)) {
            whole.tryFail(tooSlow());
            return;
        }
        read.appendBuffer(chunk);
    }

    private Unread tooLarge() {
        return new Unread(Problem.TOO_LARGE, "The body may have at most " + limitBytes + " bytes.");
    }

    private static Unread tooSlow() {
        return new Unread(Problem.TOO_SLOW, "The body must be here within " + BODY_TIME_MAX.toSeconds() + " seconds.");
    }

    private static Unread broken() {
        return new Unread(Problem.BODY_BROKEN, "The connection ended before the body did.");
    }

    /** -1 if it is not declared; the server has refused what is not a number by then. */
    private static long declaredLength(HttpServerRequest request) {
        String header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (header == null) {
            return -1;
        }
        try {
            return Long.parseLong(header.strip());
        } catch (NumberFormatException beyondLong) {
            return Long.MAX_VALUE;
        }
    }

    /** Why a body was not read. */
    static final class Unread extends RuntimeException {

        private final transient Problem problem;
        private final String detail;

        Unread(Problem problem, String detail) {
            super(detail);
            this.problem = problem;
            this.detail = detail;
        }

        Problem problem() {
            return problem;
        }

        /** What the sender is told, if it is still there; the rest of the body is not taken. */
        Answer answer() {
            return problem.answer(detail).closing();
        }
    }
}
