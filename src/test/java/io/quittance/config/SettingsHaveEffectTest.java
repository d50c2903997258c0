package io.quittance.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A setting that is read and then asked for by nobody promises what does not happen. */
class SettingsHaveEffectTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.quittance");

    /** What the reading of the configuration itself goes by, and what the file says of that it is not used yet. */
    private static final Set<String> NO_EFFECT_LATER =
            Set.of("PspAccount.allowPrivate", "Target.allowPrivate", "Postgres.replicaUri", "Ops.host");

    @Test
    void each_setting_is_asked_for_by_somebody() {
        assertThat(CLASSES.stream()
                        .filter(SettingsHaveEffectTest::holdsSettings)
                        .flatMap(SettingsHaveEffectTest::components)
                        .filter(component -> component.getReferencesToSelf().isEmpty()
                                && component.getAccessesToSelf().isEmpty())
                        .map(component -> component.getOwner().getSimpleName() + "." + component.getName()))
                .containsExactlyInAnyOrderElementsOf(NO_EFFECT_LATER);
    }

    private static boolean holdsSettings(JavaClass type) {
        return type.isRecord()
                && (type.isEquivalentTo(Config.class)
                        || type.getEnclosingClass()
                                .filter(outer ->
                                        outer.isEquivalentTo(Config.class) || outer.isEquivalentTo(Limits.class))
                                .isPresent());
    }

    private static Stream<JavaMethod> components(JavaClass type) {
        return Arrays.stream(type.reflect().getRecordComponents())
                .map(component -> type.getMethod(component.getName()));
    }
}
