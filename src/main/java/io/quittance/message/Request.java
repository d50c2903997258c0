package io.quittance.message;

/**
 * A message that is answered.
 *
 * @param <R> the answer
 */
public interface Request<R> {

    /** Who answers; see {@link Addresses}. */
    String address();
}
