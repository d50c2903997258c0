package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.FaultOfOthers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherCharsetTest {

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "US-ASCII", "GBK"})
    @FaultOfOthers(
            value = "wechatpay-apiv3/wechatpay-apache-httpclient#138",
            symptom = "notifications with Chinese in them are refused on machines whose own charset is another one")
    void notifications_and_bills_are_understood_whatever_the_machines_charset_is(String charset) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dfile.encoding=" + charset,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherCharset.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said.lines()).last().isEqualTo(charset + ": 6 of 6");
    }
}
