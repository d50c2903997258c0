/** Asks a PSP about one payment at once, because a payer came back or a merchant wants to know. */
@NullMarked
package io.quittance.inquiry;

import org.jspecify.annotations.NullMarked;
