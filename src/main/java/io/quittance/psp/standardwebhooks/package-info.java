/**
 * Any PSP that signs its notifications as Standard Webhooks has it (github.com/standard-webhooks/standard-webhooks,
 * spec/standard-webhooks.md). The specification has no calls: such an account only tells.
 */
@NullMarked
package io.quittance.psp.standardwebhooks;

import org.jspecify.annotations.NullMarked;
