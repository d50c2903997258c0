package io.quittance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test with an input that broke another program of this kind, as was reported in public. {@link FaultsOfOthersTest} has
 * the list of them, and fails if one has no test.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(FaultOfOthers.All.class)
public @interface FaultOfOthers {

    /** The first public thread that tells of it, as owner, repository and number. */
    String value();

    /** What went wrong there, in a sentence. */
    String symptom();

    /** Several on one method. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface All {
        FaultOfOthers[] value();
    }
}
