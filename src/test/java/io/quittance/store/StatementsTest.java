package io.quittance.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quittance.testing.Services;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A statement that the server cannot prepare would fail at its first use, which may be the first refund. */
class StatementsTest {

    private static final List<String> PREPARABLE = List.of("select", "insert", "update", "delete", "with");

    /** Of these, what comes out of {@link Proof#sql()} is prepared: their fields are only parts of statements. */
    private static final Pattern PROOFS = Pattern.compile("(Money|Stock|Trail)Proofs|Proof");

    /** A statement and where it stands. */
    record Named(String name, String sql) {}

    @Test
    void the_server_can_prepare_every_statement_of_every_store() throws SQLException {
        List<Named> statements = statements();
        List<String> refused = new ArrayList<>();
        try (Connection connection = Services.connect(Services.freshDatabase());
                Statement server = connection.createStatement()) {
            for (Named statement : statements) {
                try {
                    server.execute("prepare checked as " + statement.sql());
                    server.execute("deallocate checked");
                } catch (SQLException failure) {
                    refused.add(statement.name() + ": " + failure.getMessage());
                }
            }
        }

        assertThat(refused).as("statements that the server refused").isEmpty();
        assertThat(statements)
                .extracting(Named::name)
                .as("statements found")
                .hasSizeGreaterThan(50)
                .contains("Part.statement of all", "SnapshotStore.READ", "CheckoutStore.PLACE", "TimerStore.CLAIM");
    }

    @Test
    void a_statement_that_is_wrong_is_refused_when_it_is_prepared() throws SQLException {
        try (Connection connection = Services.connect(Services.freshDatabase());
                Statement server = connection.createStatement()) {
            assertThat(refusal(server, "select no_such_column from orders where id = $1"))
                    .contains("no_such_column");
            assertThat(refusal(server, "select id from orders where id = $1")).isEmpty();
        }
    }

    private static String refusal(Statement server, String sql) {
        try {
            server.execute("prepare tried as " + sql);
            server.execute("deallocate tried");
            return "";
        } catch (SQLException failure) {
            return failure.getMessage();
        }
    }

    private static List<Named> statements() {
        Stream<Named> fields = new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.quittance.store")
                        .stream()
                        .map(JavaClass::reflect)
                        .filter(type -> !PROOFS.matcher(type.getSimpleName()).matches())
                        .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
                        .filter(StatementsTest::isText)
                        .map(field -> new Named(nameOf(field), valueOf(field)))
                        .filter(named -> isStatement(named.sql()));
        Stream<Named> parts = Stream.concat(
                Stream.of(new Named("Part.statement of all", Part.statement(EnumSet.allOf(Part.class)))),
                Arrays.stream(Part.values())
                        .map(part -> new Named("Part.statement with " + part, Part.statement(withThoseItNeeds(part)))));
        Stream<Named> proofs = Stream.of(MoneyProofs.all(), StockProofs.all(), TrailProofs.all())
                .flatMap(List::stream)
                .map(proof -> new Named(proof.invariant() + " " + proof.name(), proof.sql()));
        return Stream.of(fields, parts, proofs)
                .flatMap(all -> all)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    private static Set<Part> withThoseItNeeds(Part part) {
        return switch (part) {
            case LOG, PARKED -> EnumSet.of(part);
            case STOCK_BACK -> EnumSet.of(Part.ORDERS, Part.HOLDS, part);
            default -> EnumSet.of(Part.ORDERS, part);
        };
    }

    private static boolean isText(Field field) {
        return field.getType() == String.class
                && Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers());
    }

    private static String nameOf(Field field) {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }

    private static String valueOf(Field field) {
        try {
            field.setAccessible(true);
            return (String) field.get(null);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static boolean isStatement(String text) {
        String word = text.strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
        return PREPARABLE.contains(word);
    }
}
