package io.quittance.psp.sandbox;

import com.wechat.pay.java.core.RSAPublicKeyConfig;
import com.wechat.pay.java.core.http.DefaultHttpClientBuilder;
import com.wechat.pay.java.core.http.HttpClient;
import com.wechat.pay.java.core.http.HttpRequest;
import com.wechat.pay.java.core.http.HttpResponse;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;

/**
 * The HTTP client of WeChat Pay's own SDK, which signs requests and verifies answers. The SDK's services insist on the
 * real host, so the sandbox's address is put in its place before a request is signed.
 */
record WechatPayClient(HttpClient inner, String base) implements HttpClient {

    static HttpClient of(JsonObject settings, String privateKey) {
        String serial =
                settings.getJsonObject("platform_keys").fieldNames().iterator().next();
        RSAPublicKeyConfig config = new RSAPublicKeyConfig.Builder()
                .merchantId(settings.getString("mch_id"))
                .merchantSerialNumber(settings.getString("merchant_serial"))
                .privateKey(privateKey)
                .publicKeyId(serial)
                .publicKey(settings.getJsonObject("platform_keys").getString(serial))
                .apiV3Key(settings.getString("api_v3_key"))
                .build();
        return new WechatPayClient(
                new DefaultHttpClientBuilder().config(config).build(), settings.getString("api_base"));
    }

    @Override
    public <T> HttpResponse<T> execute(HttpRequest request, Class<T> type) {
        HttpRequest redirected = new HttpRequest.Builder()
                .httpMethod(request.getHttpMethod())
                .url(base + request.getUrl().getFile())
                .headers(request.getHeaders())
                .body(request.getBody())
                .build();
        return inner.execute(redirected, type);
    }

    @Override
    public InputStream download(String url) {
        return inner.download(url);
    }
}
