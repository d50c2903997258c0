/** Looks after orders whose time has come: asks the PSP, closes, expires. */
@NullMarked
package io.quittance.timeout;

import org.jspecify.annotations.NullMarked;
