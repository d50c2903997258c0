/** The composition root: everything is built and connected here, and nobody imports it. */
@NullMarked
package io.quittance.app;

import org.jspecify.annotations.NullMarked;
