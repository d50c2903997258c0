/** The database: its schema, its connections, and the SQL of each kind of work beside its row mapping. */
@NullMarked
package io.quittance.store;

import org.jspecify.annotations.NullMarked;
