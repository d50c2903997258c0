package io.quittance.loadtest.load;

import io.quittance.loadtest.load.Observer.Latency;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Sends requests that were made before over connections that stay open, with as little work as it can, so that the machine
 * is left to what is measured. It runs on one event loop, where its observer is called too.
 */
public final class LoadGenerator<S extends Shot> {

    private static final long LATENCY_MICROS_MAX = 60_000_000;
    private static final int LATENCY_DIGITS = 3;
    private static final long TICK_MS = 1;
    private static final double NANOS = 1e9;
    private static final long NANOS_A_MICRO = 1_000;

    private final Vertx vertx;
    private final List<Integer> ports;
    private final int connections;
    private final Observer<? super S> observer;

    /**
     * Ready to send.
     *
     * @param ports connections are shared out between them
     */
    public LoadGenerator(Vertx vertx, List<Integer> ports, int connections, Observer<? super S> observer) {
        this.vertx = vertx;
        this.ports = List.copyOf(ports);
        this.connections = connections;
        this.observer = observer;
    }

    /**
     * What came of a run.
     *
     * @param answered requests that were answered with a success
     * @param errors requests that were answered otherwise, or not at all
     * @param postponed those of them that were told to come again later: 503 with Retry-After
     * @param seconds from the first request to the last answer
     * @param micros latencies of all answers that count
     */
    public record Result(long answered, long errors, long postponed, double seconds, Histogram micros) {

        public double perSecond() {
            return answered / seconds;
        }

        /** Both runs as one. */
        public Result plus(Result other) {
            Histogram both = micros.copy();
            both.add(other.micros);
            return new Result(
                    answered + other.answered,
                    errors + other.errors,
                    postponed + other.postponed,
                    seconds + other.seconds,
                    both);
        }

        public static Result nothing() {
            return new Result(0, 0, 0, 0, new Histogram(LATENCY_MICROS_MAX, LATENCY_DIGITS));
        }
    }

    /** As fast as answers come: each connection sends its next request when the one before it is answered. */
    public Future<Result> closedLoop(List<S> shots, double secondsMax) {
        return run(new Run(shots, 0, secondsMax, 0));
    }

    /** At a fixed rate, whatever the answers do; latencies count from the moment at which a request was meant to go. */
    public Future<Result> openLoop(List<S> shots, double perSecond) {
        return openLoop(shots, perSecond, 0);
    }

    /**
     * The same for something that has only just been started.
     *
     * @param leadSeconds so long no latency counts: new connections are planned for, and caches fill
     */
    public Future<Result> openLoop(List<S> shots, double perSecond, double leadSeconds) {
        return run(new Run(shots, perSecond, Double.MAX_VALUE, leadSeconds));
    }

    private Future<Result> run(Run run) {
        Promise<Result> ended = Promise.promise();
        // Connections that are opened in one context are served by its event loop, and so is everything from here on.
        vertx.getOrCreateContext().runOnContext(now -> connect(run, ended));
        return ended.future();
    }

    private void connect(Run run, Promise<Result> ended) {
        NetClient client =
                vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true).setReusePort(false));
        List<Future<NetSocket>> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            sockets.add(client.connect(ports.get(i % ports.size()), "127.0.0.1"));
        }
        Future.all(sockets)
                .compose(opened -> {
                    sockets.forEach(socket -> run.add(socket.result()));
                    return run.start();
                })
                .eventually(client::close)
                .onComplete(ended);
    }

    private final class Run {
        private final List<S> shots;
        private final double perSecond;
        private final long nanosMax;
        private final long leadNanos;
        private final Histogram micros = new Histogram(LATENCY_MICROS_MAX, LATENCY_DIGITS);
        private final List<Line> lines = new ArrayList<>();
        private final Deque<Line> idle = new ArrayDeque<>();
        private final Promise<Result> ended = Promise.promise();
        private long started;
        private int next;
        private int open;
        private long answered;
        private long errors;
        private long postponed;

        Run(List<S> shots, double perSecond, double secondsMax, double leadSeconds) {
            this.shots = shots;
            this.perSecond = perSecond;
            this.leadNanos = (long) (leadSeconds * NANOS);
            this.nanosMax = secondsMax == Double.MAX_VALUE ? Long.MAX_VALUE : (long) (secondsMax * NANOS);
        }

        void add(NetSocket socket) {
            lines.add(new Line(socket));
        }

        Future<Result> start() {
            started = System.nanoTime();
            if (perSecond > 0) {
                idle.addAll(lines);
                vertx.setPeriodic(TICK_MS, timer -> {
                    sendDue();
                    if (next == shots.size() && open == 0) {
                        vertx.cancelTimer(timer);
                        end();
                    }
                });
            } else {
                lines.forEach(this::sendNext);
            }
            return ended.future();
        }

        private void sendDue() {
            long due = Math.min(shots.size(), (long) ((System.nanoTime() - started) / NANOS * perSecond));
            while (next < due && !idle.isEmpty()) {
                long meant = started + (long) (next / perSecond * NANOS);
                idle.poll().send(shots.get(next++), meant);
            }
        }

        private void sendNext(Line line) {
            long now = System.nanoTime();
            if (next == shots.size() || now - started > nanosMax) {
                if (open == 0) {
                    end();
                }
                return;
            }
            line.send(shots.get(next++), now);
        }

        private void answered(Line line, long meant) {
            open--;
            Latency latency = new Latency(meant, System.nanoTime() - meant);
            if (meant - started >= leadNanos) {
                micros.recordValue(Math.min(latency.nanos() / NANOS_A_MICRO, LATENCY_MICROS_MAX));
            }
            if (line.reader.status() / 100 == 2) {
                answered++;
                observer.acknowledged(line.shot(), latency);
            } else {
                errors++;
                observer.refused(line.shot(), latency);
                postponed += line.reader.saysWhenToComeAgain() ? 1 : 0;
            }
            if (perSecond > 0) {
                idle.add(line);
                sendDue();
            } else {
                sendNext(line);
            }
        }

        private void end() {
            double seconds = (System.nanoTime() - started) / NANOS;
            ended.tryComplete(new Result(answered, errors, postponed, seconds, micros));
        }

        /** One connection, with at most one request on its way. */
        private final class Line {
            private final NetSocket socket;
            private final AnswerReader reader = new AnswerReader();
            private S shot;
            private long meant;

            Line(NetSocket socket) {
                this.socket = socket;
                socket.handler(this::received);
                socket.closeHandler(closed -> ended.tryFail(
                        new IllegalStateException("the server closed a connection in the middle of the run")));
            }

            void send(S shot, long meantAt) {
                open++;
                this.shot = shot;
                meant = meantAt;
                observer.sent(shot);
                socket.write(shot.request());
            }

            S shot() {
                return shot;
            }

            private void received(Buffer bytes) {
                if (reader.feed(bytes)) {
                    Run.this.answered(this, meant);
                }
            }
        }
    }
}
