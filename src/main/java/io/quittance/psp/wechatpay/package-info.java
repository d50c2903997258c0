/** WeChat Pay API v3: native pay, signed and encrypted notifications (pay.weixin.qq.com). */
@NullMarked
package io.quittance.psp.wechatpay;

import org.jspecify.annotations.NullMarked;
