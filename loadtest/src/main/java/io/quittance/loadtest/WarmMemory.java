package io.quittance.loadtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory of the system that was in use a moment ago. The host of a virtual machine may take away what is free, and has to get
 * each page again when it is used: 20 microseconds were measured for 4 KiB, where a page that the machine has costs a fraction of
 * one. A machine that is busy all day seldom feels that; one that measures feels it or not, as it happens.
 */
public final class WarmMemory {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int PIECE = 1 << 20;

    private WarmMemory() {}

    /**
     * Uses memory and gives it back at once, so that what is taken from the system next is there. Does nothing where there is no
     * {@code /dev/shm}, and less where that is small, as in containers.
     *
     * @param mebibytes as much as will be taken from the system
     */
    public static void use(int mebibytes) {
        if (!Files.isWritable(SHARED_MEMORY)) {
            return;
        }
        try {
            long free = Files.getFileStore(SHARED_MEMORY).getUsableSpace() / PIECE;
            Path file = Files.createTempFile(SHARED_MEMORY, "warm", null);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
                for (int written = 0; written < Math.min(mebibytes, free / 2); written++) {
                    piece.clear();
                    while (piece.hasRemaining()) {
                        channel.write(piece);
                    }
                }
            } finally {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot use " + mebibytes + " MiB of " + SHARED_MEMORY, failure);
        }
    }
}
