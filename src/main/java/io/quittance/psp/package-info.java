/** What every PSP adapter looks like, and what adapters share. Each PSP has a package of its own below this one. */
@NullMarked
package io.quittance.psp;

import org.jspecify.annotations.NullMarked;
