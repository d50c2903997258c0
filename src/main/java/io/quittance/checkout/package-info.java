/** Places orders with their holds, and opens attempts at the PSPs. */
@NullMarked
package io.quittance.checkout;

import org.jspecify.annotations.NullMarked;
