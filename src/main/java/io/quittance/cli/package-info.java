/** The commands. Nobody imports them. */
@NullMarked
package io.quittance.cli;

import org.jspecify.annotations.NullMarked;
