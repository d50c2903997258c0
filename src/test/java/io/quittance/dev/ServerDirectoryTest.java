package io.quittance.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerDirectoryTest {

    private static final int FREE = 10;
    private static final int HELD = 11;

    @Test
    void opening_a_second_directory_does_not_give_up_the_first_one_to_other_processes() throws Exception {
        try (ServerDirectory first = ServerDirectory.temporary();
                ServerDirectory second = ServerDirectory.temporary()) {
            assertThat(Probe.exitCode(first.resolve("lock")))
                    .as("the first one")
                    .isEqualTo(HELD);
            assertThat(Probe.exitCode(second.resolve("lock")))
                    .as("the second one")
                    .isEqualTo(HELD);
        }
    }

    /** Another process that tries to get a lock. */
    static final class Probe {

        private Probe() {}

        public static void main(String[] arguments) throws IOException {
            boolean free;
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                free = channel.tryLock() != null;
            }
            System.exit(free ? FREE : HELD);
        }

        static int exitCode(Path file) throws IOException, InterruptedException {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Process process = new ProcessBuilder(
                            java, "-cp", System.getProperty("java.class.path"), Probe.class.getName(), file.toString())
                    .inheritIO()
                    .start();
            assertThat(process.waitFor(30, TimeUnit.SECONDS))
                    .as("the probe ends")
                    .isTrue();
            return process.exitValue();
        }
    }
}
