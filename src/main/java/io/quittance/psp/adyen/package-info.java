/** Adyen: Pay by Link, refunds, standard webhooks, settlement details reports (docs.adyen.com). */
@NullMarked
package io.quittance.psp.adyen;

import org.jspecify.annotations.NullMarked;
