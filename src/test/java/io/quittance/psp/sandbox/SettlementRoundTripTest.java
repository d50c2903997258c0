package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.SandboxBench.await;
import static io.quittance.psp.sandbox.SandboxBench.newAttemptId;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.alipay.api.AlipayApiException;
import com.alipay.api.AlipayClient;
import com.alipay.api.DefaultAlipayClient;
import com.alipay.api.request.AlipayDataDataserviceBillDownloadurlQueryRequest;
import com.alipay.api.response.AlipayDataDataserviceBillDownloadurlQueryResponse;
import com.stripe.StripeClient;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.reporting.ReportRun;
import com.stripe.param.reporting.ReportRunCreateParams;
import com.wechat.pay.java.core.exception.ServiceException;
import com.wechat.pay.java.service.billdownload.BillDownloadServiceExtension;
import com.wechat.pay.java.service.billdownload.DigestBillEntity;
import com.wechat.pay.java.service.billdownload.model.BillType;
import com.wechat.pay.java.service.billdownload.model.GetTradeBillRequest;
import com.wechat.pay.java.service.billdownload.model.TarType;
import io.quittance.domain.Money;
import io.quittance.psp.PaymentReport;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.PspAdapter.NewPayment;
import io.quittance.psp.PspAdapter.PaymentRef;
import io.quittance.psp.PspAdapter.RefundOrder;
import io.quittance.psp.PspHttp;
import io.quittance.psp.RefundReport;
import io.quittance.psp.SettlementFormat.Movement;
import io.quittance.psp.SettlementFormat.Reading;
import io.quittance.psp.SettlementFormat.SettlementFile;
import io.quittance.psp.SettlementFormat.SettlementLine;
import io.quittance.psp.SettlementFormat.Unreadable;
import io.quittance.psp.alipay.AlipayAdapter;
import io.quittance.psp.alipay.AlipaySettings;
import io.quittance.psp.stripe.StripeAdapter;
import io.quittance.psp.stripe.StripeSettings;
import io.quittance.psp.wechatpay.WechatpayAdapter;
import io.quittance.psp.wechatpay.WechatpaySettings;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What was paid and refunded through our adapters stands in the PSPs' settlement files, as our readers read them. The
 * files are asked for by the PSPs' own SDKs, which verify the answers.
 */
class SettlementRoundTripTest {

    private static final ZoneOffset CHINA = ZoneOffset.ofHours(8);

    private final SandboxBench bench = new SandboxBench();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final List<Told> happened = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    /** What a line must say. */
    private record Told(Movement movement, String reference, String pspPaymentId, String refund, Money amount) {

        static Told of(SettlementLine line) {
            return new Told(
                    line.movement(), line.reference(), line.pspPaymentId(), line.refundReference(), line.amount());
        }
    }

    @Test
    void alipays_bill_says_what_happened() throws Exception {
        PspAdapter adapter = new AlipayAdapter(
                "acme", AlipaySettings.parse(bench.settings("alipay")), pspHttp("alipay"), Clock.systemUTC());
        move(adapter, "CNY");

        for (LocalDate day : days()) {
            AlipayDataDataserviceBillDownloadurlQueryResponse answer = alipayBill(day.toString(), "trade");
            assertThat(answer.isSuccess()).as(answer.getBody()).isTrue();
            check(adapter, get(answer.getBillDownloadUrl(), "").body());
        }
        assertThat(happened).isEmpty();
        assertThat(alipayBill("2020-01-01", "trade").getSubCode()).isEqualTo("isp.bill_not_exist");
        assertThat(alipayBill("yesterday", "trade").getSubCode()).isEqualTo("isv.invalid-arguments");
        assertThat(alipayBill("2020-01-01", "signcustomer").getSubCode()).isEqualTo("isv.invalid-arguments");
    }

    @Test
    void alipay_has_bills_of_months_too_and_no_address_lives_without_its_number() throws Exception {
        PspAdapter adapter = new AlipayAdapter(
                "acme", AlipaySettings.parse(bench.settings("alipay")), pspHttp("alipay"), Clock.systemUTC());
        move(adapter, "CNY");

        for (String month : days().stream()
                .map(day -> day.toString().substring(0, 7))
                .distinct()
                .toList()) {
            String url = alipayBill(month, "trade").getBillDownloadUrl();
            check(adapter, get(url, "").body());
            assertThat(get(url.replaceFirst("fileId=.", "fileId=x"), "").statusCode())
                    .isEqualTo(404);
        }
        assertThat(happened).isEmpty();
    }

    @Test
    void wechat_pays_bill_says_what_happened_packed_or_not() throws Exception {
        PspAdapter adapter = new WechatpayAdapter(
                "acme", WechatpaySettings.parse(bench.settings("wechatpay")), pspHttp("wechatpay"), Clock.systemUTC());
        move(adapter, "CNY");
        List<Told> once = List.copyOf(happened);

        for (TarType packing : new TarType[] {null, TarType.GZIP}) {
            for (LocalDate day : days()) {
                check(adapter, wechatPayBill(day.toString(), BillType.ALL, packing));
            }
            assertThat(happened).isEmpty();
            happened.addAll(once);
        }
        for (LocalDate day : days()) {
            check(adapter, wechatPayBill(day.toString(), BillType.SUCCESS, null));
            check(adapter, wechatPayBill(day.toString(), BillType.REFUND, null));
        }
        assertThat(happened).isEmpty();
    }

    @Test
    void wechat_pay_has_no_bill_of_an_empty_day_and_gives_none_to_strangers() throws Exception {
        ServiceException empty =
                catchThrowableOfType(ServiceException.class, () -> wechatPayBill("2020-01-01", BillType.ALL, null));
        assertThat(empty.getHttpStatusCode()).isEqualTo(400);
        assertThat(empty.getErrorCode()).isEqualTo("NO_STATEMENT_EXIST");
        ServiceException wrong =
                catchThrowableOfType(ServiceException.class, () -> wechatPayBill("yesterday", BillType.ALL, null));
        assertThat(wrong.getErrorCode()).isEqualTo("PARAM_ERROR");
        String address = bench.settings("wechatpay").getString("api_base") + WechatPayBills.DOWNLOAD_PATH + "?token=x";
        assertThat(get(address, "").statusCode()).isEqualTo(401);
        ServiceException unknown = catchThrowableOfType(
                ServiceException.class, () -> wechatPayClient().download(address));
        assertThat(unknown.getHttpStatusCode()).isEqualTo(404);
    }

    @Test
    void stripes_report_says_what_happened() throws Exception {
        PspAdapter adapter = stripeAdapter();
        move(adapter, "EUR");
        move(adapter, "JPY");

        ReportRun run = report(begun, Instant.now().plusSeconds(1), ".");
        String url = run.getResult().getUrl();

        assertThat(get(url, "").statusCode()).isEqualTo(401);
        byte[] file = get(url, bench.settings("stripe").getString("api_key")).body();
        assertThat(file).hasSize(run.getResult().getSize().intValue());
        check(adapter, file);
        assertThat(happened).isEmpty();
    }

    @Test
    void stripes_report_of_an_empty_time_is_empty_and_one_with_decimal_commas_is_refused() throws Exception {
        PspAdapter adapter = stripeAdapter();
        String key = bench.settings("stripe").getString("api_key");
        ReportRun empty = report(begun.minusSeconds(10), begun.minusSeconds(5), ".");
        check(adapter, get(empty.getResult().getUrl(), key).body());

        move(adapter, "EUR");
        ReportRun commas = report(begun, Instant.now().plusSeconds(1), ",");
        Reading reading = adapter.settlement()
                .orElseThrow()
                .read(get(commas.getResult().getUrl(), key).body());
        assertThat(reading).isInstanceOfSatisfying(Unreadable.class, refused -> assertThat(refused.problem())
                .contains("decimal comma"));
    }

    @Test
    void stripe_refuses_reports_and_columns_that_it_does_not_have() {
        assertThat(refusedByStripe("balance.summary.1", "gross")).contains("report_type");
        assertThat(refusedByStripe("balance_change_from_activity.itemized.3", "gros"))
                .contains("gros");
        assertThatThrownBy(() -> stripe().v1().reporting().reportRuns().retrieve("frr_unknown"))
                .isInstanceOf(InvalidRequestException.class);
    }

    /** A payment that is refunded in two parts, one that is kept, one that is refunded completely, one that is not paid. */
    private void move(PspAdapter adapter, String currency) {
        PaymentRef parts = pay(adapter, new Money(1_999, currency));
        pay(adapter, new Money(50_000, currency));
        refund(adapter, parts, new Money(1_999, currency), new Money(500, currency));
        PaymentRef whole = pay(adapter, new Money(7_000, currency));
        refund(adapter, whole, new Money(7_000, currency), new Money(7_000, currency));
        refund(adapter, parts, new Money(1_999, currency), new Money(99, currency));
        create(adapter, new Money(100, currency));
    }

    private PaymentRef pay(PspAdapter adapter, Money amount) {
        PaymentRef payment = create(adapter, amount);
        await(bench.sandbox.pay(payment.attemptId()));
        String pspPaymentId =
                bench.sandbox.payment(payment.attemptId()).orElseThrow().pspPaymentId();
        happened.add(new Told(Movement.PAYMENT, payment.attemptId(), pspPaymentId, null, amount));
        return new PaymentRef(payment.attemptId(), pspPaymentId, payment.original());
    }

    private PaymentRef create(PspAdapter adapter, Money amount) {
        String attemptId = newAttemptId();
        String notifyUrl = bench.notifyUrl(adapter.psp());
        NewPayment payment = new NewPayment(
                attemptId, "A-1, \"rot\"", amount, Instant.now().plusSeconds(900), notifyUrl, "https://shop.example/");
        PaymentReport created = await(adapter.create(payment));
        String url = created.pay().getString("url");
        if (url != null) {
            await(bench.sandbox.open(url));
        }
        return new PaymentRef(attemptId, created.pspPaymentId(), payment);
    }

    private void refund(PspAdapter adapter, PaymentRef payment, Money paid, Money amount) {
        String refundId = newAttemptId();
        RefundReport report = await(adapter.refund(new RefundOrder(refundId, payment, paid, amount, "returned")));
        assertThat(report.status()).isIn(RefundReport.Status.SUCCEEDED, RefundReport.Status.PENDING);
        happened.add(new Told(Movement.REFUND, payment.attemptId(), payment.pspPaymentId(), refundId, amount));
    }

    /** Takes what the file says out of what happened: each line must be there, once. */
    private void check(PspAdapter adapter, byte[] file) {
        Reading reading = adapter.settlement().orElseThrow().read(file);
        assertThat(reading).isInstanceOf(SettlementFile.class);
        for (SettlementLine line : ((SettlementFile) reading).lines()) {
            assertThat(happened.remove(Told.of(line))).as(line.toString()).isTrue();
            assertThat(line.at()).isBetween(begun, Instant.now());
        }
    }

    /** The days of China since the test began: two, if it is midnight there. */
    private List<LocalDate> days() {
        return begun.atOffset(CHINA)
                .toLocalDate()
                .datesUntil(LocalDate.now(Clock.system(CHINA)).plusDays(1))
                .toList();
    }

    private PspHttp pspHttp(String name) {
        return new PspHttp(bench.vertx, bench.vertx.createHttpClient(), name, Duration.ofSeconds(5));
    }

    private PspAdapter stripeAdapter() {
        return new StripeAdapter(
                "acme", StripeSettings.parse(bench.settings("stripe")), pspHttp("stripe"), Clock.systemUTC());
    }

    private HttpResponse<byte[]> get(String url, String bearer) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (!bearer.isEmpty()) {
            request.header("Authorization", "Bearer " + bearer);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private AlipayDataDataserviceBillDownloadurlQueryResponse alipayBill(String date, String type)
            throws AlipayApiException {
        JsonObject settings = bench.settings("alipay");
        AlipayClient alipay = new DefaultAlipayClient(
                settings.getString("gateway"),
                settings.getString("app_id"),
                settings.getString("app_private_key"),
                "json",
                "UTF-8",
                settings.getJsonArray("alipay_public_keys").getString(0),
                "RSA2");
        AlipayDataDataserviceBillDownloadurlQueryRequest request =
                new AlipayDataDataserviceBillDownloadurlQueryRequest();
        request.setBizContent(
                new JsonObject().put("bill_type", type).put("bill_date", date).encode());
        return alipay.execute(request);
    }

    private com.wechat.pay.java.core.http.HttpClient wechatPayClient() {
        JsonObject settings = bench.settings("wechatpay");
        return WechatPayClient.of(settings, settings.getString("merchant_private_key"));
    }

    /** The SDK compares the hash with that of what it has unpacked. */
    private byte[] wechatPayBill(String date, BillType type, TarType packing) throws IOException {
        GetTradeBillRequest request = new GetTradeBillRequest();
        request.setBillDate(date);
        request.setBillType(type);
        request.setTarType(packing);
        DigestBillEntity bill = new BillDownloadServiceExtension.Builder()
                .httpClient(wechatPayClient())
                .decryptor(text -> text)
                .build()
                .getTradeBill(request);
        try (InputStream in = bill.getInputStream()) {
            byte[] bytes = in.readAllBytes();
            assertThat(bill.verifyHash()).isTrue();
            return bytes;
        }
    }

    private StripeClient stripe() {
        return StripeClient.builder()
                .setApiKey(bench.settings("stripe").getString("api_key"))
                .setApiBase(bench.settings("stripe").getString("api_base"))
                .setMaxNetworkRetries(0)
                .build();
    }

    private ReportRun report(Instant from, Instant to, String decimalSeparator) throws StripeException {
        ReportRunCreateParams params = ReportRunCreateParams.builder()
                .setReportType("balance_change_from_activity.itemized.3")
                .setParameters(ReportRunCreateParams.Parameters.builder()
                        .setIntervalStart(from.getEpochSecond())
                        .setIntervalEnd(to.getEpochSecond())
                        .addAllColumn(List.of(
                                "created_utc",
                                "created",
                                "currency",
                                "gross",
                                "reporting_category",
                                "source_id",
                                "description",
                                "payment_intent_id",
                                "payment_metadata[attempt_id]",
                                "refund_metadata[refund_id]"))
                        .putExtraParam("decimal_separator", decimalSeparator)
                        .build())
                .build();
        ReportRun pending = stripe().v1().reporting().reportRuns().create(params);
        assertThat(pending.getStatus()).isEqualTo("pending");
        ReportRun run = stripe().v1().reporting().reportRuns().retrieve(pending.getId());
        assertThat(run.getStatus()).isEqualTo("succeeded");
        return run;
    }

    private String refusedByStripe(String type, String column) {
        ReportRunCreateParams params = ReportRunCreateParams.builder()
                .setReportType(type)
                .setParameters(ReportRunCreateParams.Parameters.builder()
                        .setIntervalStart(1L)
                        .setIntervalEnd(2L)
                        .addColumn(column)
                        .build())
                .build();
        return catchThrowableOfType(
                        InvalidRequestException.class,
                        () -> stripe().v1().reporting().reportRuns().create(params))
                .getMessage();
    }
}
