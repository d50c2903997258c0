/** The transition engine: reads, lets the rules decide, and writes what they decided, in batches. */
@NullMarked
package io.quittance.engine;

import org.jspecify.annotations.NullMarked;
