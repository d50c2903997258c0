package io.quittance;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The walls between rooms. A room that is still empty passes. */
class RoomsTest {

    private static final String ROOT = "io.quittance.";
    private static final String[] EVERYWHERE = {"java..", "javax..", "org.jspecify.."};
    private static final String SLF4J = "org.slf4j..";
    private static final String JACKSON = "com.fasterxml.jackson..";
    private static final String VERTX = "io.vertx..";
    private static final String FASTCSV = "de.siegmar.fastcsv..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.quittance");

    /** A room, then what its classes may depend on besides each other. */
    static Stream<Arguments> rooms() {
        return Stream.of(
                room("domain"),
                room("message", SLF4J, "domain", "io.vertx.core.."),
                room("psp", SLF4J, "domain", VERTX, JACKSON, FASTCSV),
                room("psp.*..", SLF4J, "domain", "psp", VERTX, JACKSON, FASTCSV),
                room("store", SLF4J, "domain", "message", VERTX, "org.flywaydb.."),
                room("redis", SLF4J, "io.vertx.core..", "io.vertx.redis..", "io.vertx.circuitbreaker.."),
                room("journal", SLF4J, "domain", "message", "io.vertx.core..", "org.sqlite.."),
                room("http", SLF4J, "message", "psp", "domain", "store", VERTX, JACKSON),
                room("engine", SLF4J, "message", "domain", "store", "redis", "journal", VERTX),
                worker("checkout"),
                worker("inquiry"),
                worker("timeout"),
                worker("recovery"),
                worker("dispatch"),
                worker("refund"),
                worker("reconcile"),
                room("console", SLF4J, "message", "domain", "store", VERTX, JACKSON, "io.micrometer.."),
                room("config", SLF4J, JACKSON));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rooms")
    void a_room_depends_only_on_what_the_table_allows(String room, String[] allowed) {
        classes()
                .that()
                .resideInAPackage(inside(room))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void no_psp_knows_another() {
        slices().matching("io.quittance.psp.(*)..")
                .should()
                .notDependOnEachOther()
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void nobody_depends_on_the_composition_root_except_dev_mode() {
        noClasses()
                .that(not(resideInAnyPackage("io.quittance.app..", "io.quittance.dev..", "io.quittance.cli..")))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.quittance.app..", "io.quittance.dev..", "io.quittance.cli.."))
                .check(CLASSES);
    }

    @Test
    void rooms_form_no_cycle() {
        slices().matching("io.quittance.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void every_class_is_in_a_room_of_the_table() {
        String[] known = Stream.concat(
                        rooms().map(room -> inside((String) room.get()[0])),
                        Stream.of("app..", "dev..", "cli..").map(ROOT::concat))
                .toArray(String[]::new);
        classes().should().resideInAnyPackage(known).check(CLASSES);
    }

    @Test
    void time_comes_from_a_clock_that_was_handed_in() {
        noClasses()
                .that(not(resideInAnyPackage(
                        "io.quittance.app..",
                        "io.quittance.dev..",
                        "io.quittance.cli..",
                        "io.quittance.psp.sandbox..")))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDate.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(OffsetDateTime.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(Clock.class, "systemDefaultZone")
                .orShould()
                .callConstructor(Date.class)
                .because(
                        "a test must be able to set the time; only the sandbox, which plays the world outside, has its own")
                .check(CLASSES);
    }

    @Test
    void only_commands_write_to_the_terminal() {
        noClasses()
                .that(not(resideInAnyPackage("io.quittance.app..", "io.quittance.dev..", "io.quittance.cli..")))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .check(CLASSES);
    }

    private static Arguments worker(String room) {
        return room(room, SLF4J, "message", "domain", "psp", "store", "redis", VERTX);
    }

    private static Arguments room(String room, String... others) {
        Stream<String> named = Arrays.stream(others).map(other -> other.contains(".") ? other : inside(other));
        String[] allowed = Stream.of(Arrays.stream(EVERYWHERE), Stream.of(inside(room)), named)
                .flatMap(part -> part)
                .toArray(String[]::new);
        return Arguments.of(room, allowed);
    }

    /** A room with what is below it, but the shape of a PSP is another room than the PSPs. */
    private static String inside(String room) {
        boolean withoutBelow = room.equals("psp") || room.endsWith("..");
        return ROOT + room + (withoutBelow ? "" : "..");
    }
}
