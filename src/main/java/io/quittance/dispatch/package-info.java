/** Carries final conclusions to the systems that act on them: once in effect, whatever is lost on the way. */
@NullMarked
package io.quittance.dispatch;

import org.jspecify.annotations.NullMarked;
