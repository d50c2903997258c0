package io.quittance.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quittance.config.Config;
import io.quittance.config.InvalidConfig;
import io.quittance.config.Limits;
import io.quittance.dispatch.DispatchOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two rooms know what a lease must cover, and neither may import the other. */
class DispatchLeaseTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT0.1S", "PT1S", "PT10S", "PT60S"})
    void the_configuration_refuses_a_lease_exactly_where_the_dispatcher_would(String callTimeout) {
        Duration enough = Limits.Dispatch.CONNECT_TIMEOUT
                .plus(Duration.parse(callTimeout))
                .multipliedBy(2)
                .plus(DispatchOptions.WRITE_MARGIN);

        assertThat(options(dispatch(callTimeout, enough)).lease()).isEqualTo(enough);
        assertThatThrownBy(() -> dispatch(callTimeout, enough.minusMillis(1)))
                .isInstanceOf(InvalidConfig.class)
                .hasMessageContaining("dispatch.lease")
                .hasMessageContaining(enough.toString());
    }

    private static Limits.Dispatch dispatch(String callTimeout, Duration lease) {
        String yaml = "dispatch: {call_timeout: " + callTimeout + ", lease: " + lease + "}";
        return Config.parse(yaml, Path.of(""), Map.of(), Config.Mode.DEV).dispatch();
    }

    private static DispatchOptions options(Limits.Dispatch read) {
        DispatchOptions usual = DispatchOptions.defaults();
        return new DispatchOptions(
                read.batchMax(),
                read.callsInFlight(),
                read.lease(),
                Limits.Dispatch.CONNECT_TIMEOUT,
                read.callTimeout(),
                read.triesMax(),
                read.retryFirst(),
                read.retryMax(),
                read.poll(),
                usual.breakerFailuresMax(),
                usual.breakerWindow(),
                usual.breakerReset());
    }
}
