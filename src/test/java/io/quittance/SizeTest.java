package io.quittance;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Code that is too long to be read is not read. */
class SizeTest {

    private static final Path SOURCES = Path.of("src/main/java");
    private static final int METHOD_LINES_MAX = 60;
    private static final int FILE_LINES_MAX = 400;

    @Test
    void no_file_is_longer_than_a_sitting() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : sources()) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES_MAX) {
                tooLong.add(file + " has " + lines + " lines");
            }
        }
        assertThat(tooLong).as("files over %d lines", FILE_LINES_MAX).isEmpty();
    }

    @Test
    void no_method_is_longer_than_a_screen() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources()));
            LongMethods longMethods = new LongMethods(Trees.instance(task).getSourcePositions());
            longMethods.scan(task.parse(), null);

            assertThat(longMethods.seen).as("methods seen").isPositive();
            assertThat(longMethods.found)
                    .as("methods over %d lines", METHOD_LINES_MAX)
                    .isEmpty();
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static final class LongMethods extends TreePathScanner<Void, Void> {

        private final SourcePositions positions;
        private final List<String> found = new ArrayList<>();
        private int seen;

        LongMethods(SourcePositions positions) {
            this.positions = positions;
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            LineMap lines = unit.getLineMap();
            long start = positions.getStartPosition(unit, method);
            long end = positions.getEndPosition(unit, method);
            if (start >= 0 && end >= 0) {
                seen++;
                long length = lines.getLineNumber(end) - lines.getLineNumber(start) + 1;
                if (length > METHOD_LINES_MAX) {
                    found.add(unit.getSourceFile().getName() + ": " + method.getName() + " has " + length + " lines");
                }
            }
            return super.visitMethod(method, null);
        }
    }
}
