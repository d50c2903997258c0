/** What runs a whole Quittance on one machine: servers of its own, and the scenarios of dev mode. */
@NullMarked
package io.quittance.dev;

import org.jspecify.annotations.NullMarked;
