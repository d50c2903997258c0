/** Alipay open platform: page pay, RSA2-signed form notifications (opendocs.alipay.com). */
@NullMarked
package io.quittance.psp.alipay;

import org.jspecify.annotations.NullMarked;
