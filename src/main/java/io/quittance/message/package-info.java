/** What the verticles say to each other, and the bus that carries it. */
@NullMarked
package io.quittance.message;

import org.jspecify.annotations.NullMarked;
