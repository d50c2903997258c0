/**
 * A payment service provider for development, demonstrations and tests that speaks the real formats of Stripe, Alipay,
 * WeChat Pay and Adyen with keys of its own. It is the other side of the wire: it shares no code with the adapters, so that a
 * mistake in one is not repeated in the other.
 */
@NullMarked
package io.quittance.psp.sandbox;

import org.jspecify.annotations.NullMarked;
