/** Carries refunds that were decided to the PSPs. */
@NullMarked
package io.quittance.refund;

import org.jspecify.annotations.NullMarked;
