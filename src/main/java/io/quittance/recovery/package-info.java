/** Brings together what arrived in the wrong order. */
@NullMarked
package io.quittance.recovery;

import org.jspecify.annotations.NullMarked;
