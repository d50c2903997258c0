/** What Redis makes cheaper: notification dedup and leases. Nothing here is needed for correctness. */
@NullMarked
package io.quittance.redis;

import org.jspecify.annotations.NullMarked;
