package io.quittance.dev;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A directory that one embedded server of one process works in, held by a file lock.
 *
 * <p>Whoever gets the lock knows that the process which had it is gone. If a server of that process still runs, it is an
 * orphan (its parent was killed) and is stopped. Temporary directories left by killed processes are swept by the next
 * process that opens one.
 */
final class ServerDirectory implements AutoCloseable {

    private static final String TEMPORARY_PREFIX = "quittance-dev-";
    private static final String LOCK_FILE = "lock";
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /**
     * What this process holds. The lock of a file ends when its process closes any channel to that file, so a process
     * must not even look whether it holds a lock by trying to get it. That is a property of the process, and so is this.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path key;
    private final FileChannel channel;
    private final boolean temporary;

    private ServerDirectory(Path path, Path key, FileChannel channel, boolean temporary) {
        this.path = path;
        this.key = key;
        this.channel = channel;
        this.temporary = temporary;
    }

    /**
     * Opens a directory that stays, creating it if need be.
     *
     * @throws EmbeddedServerFailed if another process, or another server of this process, uses it
     */
    static ServerDirectory keep(Path path) {
        try {
            Files.createDirectories(path);
            ServerDirectory locked = lock(path.toAbsolutePath(), false);
            if (locked == null) {
                throw new EmbeddedServerFailed("The directory " + path
                        + " is in use by another running server: stop that one, or choose another directory.");
            }
            locked.stopOrphans();
            return locked;
        } catch (IOException failure) {
            throw new EmbeddedServerFailed(
                    "The directory " + path + " cannot be used: " + reason(failure) + ".", failure);
        }
    }

    /** Opens a new directory that is deleted on close. */
    static ServerDirectory temporary() {
        try {
            sweep();
            ServerDirectory locked = lock(Files.createTempDirectory(TEMPORARY_PREFIX), true);
            if (locked == null) {
                throw new IllegalStateException("somebody else locked a directory that was just created");
            }
            return locked;
        } catch (IOException failure) {
            throw new EmbeddedServerFailed("No temporary directory can be made: " + reason(failure) + ".", failure);
        }
    }

    /** Whether it goes with its server. */
    boolean isTemporary() {
        return temporary;
    }

    /** A file or directory inside. */
    Path resolve(String name) {
        return path.resolve(name);
    }

    /** Gives the lock back; a temporary directory is deleted. */
    @Override
    public void close() {
        try {
            if (temporary) {
                deleteTree(path);
            }
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            HELD.remove(key);
        }
    }

    /** Waits for a process to end, and kills it if it does not. */
    static void awaitEnd(ProcessHandle process) {
        try {
            process.onExit().get(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The running process whose id stands in the first line of a file, if it runs the named program. */
    static Optional<ProcessHandle> running(Path pidFile, String program) {
        try (var lines = Files.lines(pidFile)) {
            return lines.findFirst()
                    .map(String::strip)
                    .filter(line -> line.matches("\\d{1,18}"))
                    .flatMap(line -> ProcessHandle.of(Long.parseLong(line)))
                    .filter(process -> runs(process, program));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean runs(ProcessHandle process, String program) {
        return process.info().command().map(Path::of).map(Path::getFileName).stream()
                .anyMatch(name -> name.toString().startsWith(program));
    }

    private void stopOrphans() {
        stopOrphan(EmbeddedPostgres17.pidFile(this), EmbeddedPostgres17.PROGRAM);
        stopOrphan(EmbeddedRedis.pidFile(this), EmbeddedRedis.PROGRAM);
    }

    private static void stopOrphan(Path pidFile, String program) {
        running(pidFile, program).ifPresent(orphan -> {
            orphan.destroy();
            awaitEnd(orphan);
        });
    }

    private static @Nullable ServerDirectory lock(Path path, boolean temporary) throws IOException {
        Path key = path.toRealPath();
        if (!HELD.add(key)) {
            return null;
        }
        ServerDirectory locked = null;
        try {
            locked = lockFile(path, key, temporary);
            return locked;
        } finally {
            if (locked == null) {
                HELD.remove(key);
            }
        }
    }

    private static @Nullable ServerDirectory lockFile(Path path, Path key, boolean temporary) throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            return null;
        }
        return new ServerDirectory(path, key, channel, temporary);
    }

    private static void sweep() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, TEMPORARY_PREFIX + "*")) {
            for (Path path : found) {
                sweep(path);
            }
        }
    }

    private static void sweep(Path path) throws IOException {
        // A directory without a lock file is being created at this moment, or is another user's.
        if (!Files.isWritable(path) || !Files.isWritable(path.resolve(LOCK_FILE))) {
            return;
        }
        try (ServerDirectory abandoned = lock(path, true)) {
            if (abandoned != null) {
                abandoned.stopOrphans();
            }
        } catch (NoSuchFileException gone) {
            // Its owner, or another one who sweeps, has deleted it at this moment: just what was wanted.
        }
    }

    private static void deleteTree(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            /** What somebody else has deleted first is deleted. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static String reason(IOException failure) {
        return failure.getClass().getSimpleName() + " " + failure.getMessage();
    }
}
