package io.quittance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * What went wrong in other receivers of payment notifications, as was reported in public, each by the first thread that
 * tells of it: there is a test with such an input for each, or a reason why there can be none.
 */
class FaultsOfOthersTest {

    private static final Set<String> TESTED = Set.of(
            // bytes, charsets, what is signed
            "wechatpay-apiv3/wechatpay-apache-httpclient#158",
            "wechatpay-apiv3/wechatpay-java#112",
            "wechatpay-apiv3/wechatpay-apache-httpclient#138",
            "yansongda/pay#14",
            "yansongda/pay#180",
            "yansongda/pay#749",
            "smartwalle/alipay#132",
            "alipay/alipay-sdk-nodejs-all#45",
            "laravel-pay#82",
            "lokielse/omnipay-alipay#170",
            "Luncher/alipay#46",
            "latrell/Alipay#7",
            "go-pay/gopay#260",
            "justquanyin/third-payment#7",
            "stripe/stripe-node#356",
            "grammY#900",
            // keys, probes, downgrades
            "binarywang/WxJava#3288",
            "wechatpay-apiv3/wechatpay-go#263",
            "wechatpay-apiv3/wechatpay-apache-httpclient#140",
            "alipay/alipay-sdk-nodejs-all checkNotifySign",
            "stripe/stripe-node#407",
            "wechatpay-apiv3/wechatpay-java NotificationParser",
            "wechatpay-apiv3/wechatpay-java AeadAesCipher",
            // acknowledgements and HTTP
            "yansongda/pay#685",
            "laravel-pay#90",
            "fossasia/eventyay#3447",
            "dubinc/dub#3752",
            "mozilla/fxa#8861",
            "monetr/monetr PR#3093",
            "rafiki#712",
            "dj-stripe#832 (comment)",
            // duplicates and races
            "dj-stripe#832",
            "Devlaner/devlane#332",
            "vendure#620",
            // states, orders, money
            "razorpay/razorpay-woocommerce#664",
            "mollie/WooCommerce#1252",
            "woocommerce-gateway-stripe#2598",
            "YunaiV/ruoyi-vue-pro#1152",
            "PrestaShopCorp/ps_checkout PR#1546",
            "ahimu.com/posts/33",
            "jeepay PR#81",
            "Paymenter#1258",
            // settlement files
            "binarywang/WxJava#1275",
            "edge-sky/Bills-save#12",
            "zsxsoft/my-beancount-scripts#13",
            "zsxsoft/my-beancount-scripts#5",
            // refunds
            "gumroad#6193");

    /** Where the test of it belongs to something else; it is known, and may or may not be there yet. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "Adyen php PR#165", "the tests of the Adyen adapter",
            "Adyen php (refund zero)", "the tests of the Adyen adapter",
            "Adyen magento#748", "the tests of the Adyen adapter",
            "Adyen/adyen-shopware6 PR#451", "the tests of the Adyen adapter",
            "adyen-magento2#2589", "the tests of the Adyen adapter",
            "Automattic/woocommerce-payments PR#3520", "the tests of the browser's return",
            "yansongda/pay#389", "the tests of the browser's return");

    private static final Map<String, String> NOT_APPLICABLE = Map.of(
            "paypal/PayPal-node-SDK#412", "PayPal's events, which are sent back to be checked: there is no PayPal here",
            "dubinc/dub PR#3835", "PayPal's certificates, fetched from where the event says: there is no PayPal here");

    @Test
    void each_has_a_test_and_each_test_is_in_the_list() {
        Set<String> found = annotated().map(FaultOfOthers::value).collect(Collectors.toCollection(TreeSet::new));
        found.removeAll(ELSEWHERE.keySet());
        assertThat(found).isEqualTo(new TreeSet<>(TESTED));
        assertThat(found).doesNotContainAnyElementsOf(NOT_APPLICABLE.keySet());
    }

    @Test
    void what_is_marked_is_run_and_says_what_went_wrong() {
        assertThat(marked()).isNotEmpty().allMatch(method -> Stream.of(
                        Test.class, ParameterizedTest.class, TestFactory.class)
                .anyMatch(method::isAnnotationPresent));
        assertThat(annotated()).allSatisfy(fault -> assertThat(fault.symptom()).isNotBlank());
    }

    private static Stream<FaultOfOthers> annotated() {
        return marked().flatMap(method -> Arrays.stream(method.getAnnotationsByType(FaultOfOthers.class)));
    }

    private static Stream<Method> marked() {
        return ReflectionSupport.findAllClassesInPackage("io.quittance", type -> true, FaultsOfOthersTest::isOfTests)
                .stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.getAnnotationsByType(FaultOfOthers.class).length > 0);
    }

    private static boolean isOfTests(String className) {
        return className.endsWith("Test") || className.endsWith("IT");
    }
}
