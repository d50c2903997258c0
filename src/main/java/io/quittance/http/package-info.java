/** The public port: notifications of PSPs come in here, and merchants' servers place orders and open attempts. */
@NullMarked
package io.quittance.http;

import org.jspecify.annotations.NullMarked;
