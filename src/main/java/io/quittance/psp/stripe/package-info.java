/** Stripe: PaymentIntents and Refunds, signed webhooks (docs.stripe.com/webhooks). */
@NullMarked
package io.quittance.psp.stripe;

import org.jspecify.annotations.NullMarked;
