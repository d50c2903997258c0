package io.quittance.loadtest.strategies;

import io.quittance.loadtest.strategies.Workload.Shot;
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
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Sends requests that were made before over connections that stay open, with as little work as it can, so that the machine
 * is left to what is measured. It runs on one event loop.
 */
final class LoadGenerator {

    private static final long LATENCY_MICROS_MAX = 60_000_000;
    private static final int LATENCY_DIGITS = 3;
    private static final long TICK_MS = 1;
    private static final double NANOS = 1e9;

    private final Vertx vertx;
    private final List<Integer> ports;
    private final int connections;
    private final Consumer<Shot> onSend;
    private final Consumer<Shot> onRefused;

    /**
     * Ready to send.
     *
     * @param ports connections are shared out between them
     * @param onSend is told of each request as it is sent
     * @param onRefused is told of each request that was not answered with a success
     */
    LoadGenerator(Vertx vertx, List<Integer> ports, int connections, Consumer<Shot> onSend, Consumer<Shot> onRefused) {
        this.vertx = vertx;
        this.ports = List.copyOf(ports);
        this.connections = connections;
        this.onSend = onSend;
        this.onRefused = onRefused;
    }

    /**
     * What came of a run.
     *
     * @param answered requests that were answered with a success
     * @param errors requests that were answered otherwise, or not at all
     * @param postponed those of them that were told to come again later: 503 with Retry-After
     * @param seconds from the first request to the last answer
     * @param micros latencies of all answers
     */
    record Result(long answered, long errors, long postponed, double seconds, Histogram micros) {

        double perSecond() {
            return answered / seconds;
        }

        /** Both runs as one. */
        Result plus(Result other) {
            Histogram both = micros.copy();
            both.add(other.micros);
            return new Result(
                    answered + other.answered,
                    errors + other.errors,
                    postponed + other.postponed,
                    seconds + other.seconds,
                    both);
        }

        static Result nothing() {
            return new Result(0, 0, 0, 0, new Histogram(LATENCY_MICROS_MAX, LATENCY_DIGITS));
        }
    }

    /** As fast as answers come: each connection sends its next request when the one before it is answered. */
    Future<Result> closedLoop(List<Shot> shots, double secondsMax) {
        return run(new Run(shots, 0, secondsMax));
    }

    /** At a fixed rate, whatever the answers do; latencies count from the moment at which a request was meant to go. */
    Future<Result> openLoop(List<Shot> shots, double perSecond) {
        return run(new Run(shots, perSecond, Double.MAX_VALUE));
    }

    private Future<Result> run(Run run) {
        NetClient client =
                vertx.createNetClient(new NetClientOptions().setTcpNoDelay(true).setReusePort(false));
        List<Future<NetSocket>> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            sockets.add(client.connect(ports.get(i % ports.size()), "127.0.0.1"));
        }
        Promise<Result> ended = Promise.promise();
        Future.all(sockets).onComplete(opened -> {
            if (opened.failed()) {
                ended.fail(opened.cause());
                return;
            }
            // Everything from here on happens on the loop of the generator.
            sockets.forEach(socket -> run.add(socket.result()));
            run.start(ended);
        });
        return ended.future().eventually(client::close);
    }

    private final class Run {
        private final List<Shot> shots;
        private final double perSecond;
        private final long nanosMax;
        private final Histogram micros = new Histogram(LATENCY_MICROS_MAX, LATENCY_DIGITS);
        private final List<Line> lines = new ArrayList<>();
        private final Deque<Line> idle = new ArrayDeque<>();
        private Promise<Result> ended = Promise.promise();
        private long started;
        private int next;
        private int open;
        private long answered;
        private long errors;
        private long postponed;

        Run(List<Shot> shots, double perSecond, double secondsMax) {
            this.shots = shots;
            this.perSecond = perSecond;
            this.nanosMax = secondsMax == Double.MAX_VALUE ? Long.MAX_VALUE : (long) (secondsMax * NANOS);
        }

        void add(NetSocket socket) {
            lines.add(new Line(socket));
        }

        void start(Promise<Result> promise) {
            ended = promise;
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
            long took = (System.nanoTime() - meant) / 1_000;
            micros.recordValue(Math.min(took, LATENCY_MICROS_MAX));
            if (line.reader.status() / 100 == 2) {
                answered++;
            } else {
                errors++;
                onRefused.accept(line.shot());
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
            private Shot shot;
            private long meant;

            Line(NetSocket socket) {
                this.socket = socket;
                socket.handler(this::received);
                socket.closeHandler(closed -> ended.tryFail(
                        new IllegalStateException("the server closed a connection in the middle of the run")));
            }

            void send(Shot shot, long meantAt) {
                open++;
                this.shot = shot;
                meant = meantAt;
                onSend.accept(shot);
                socket.write(shot.request());
            }

            Shot shot() {
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
