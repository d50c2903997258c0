/** States, facts and decisions of payment: pure Java, no I/O, no clock. */
@NullMarked
package io.quittance.domain;

import org.jspecify.annotations.NullMarked;
