package io.quittance.psp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quittance.psp.Verification.Verified;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WarmUpTest {

    @Test
    void each_account_reads_as_if_it_were_verified_and_nothing_is_believed() {
        Set<String> read = new TreeSet<>();
        List<PspAdapter> adapters = PspAdapterContractTest.psps()
                .map(psp -> watched(psp.adapter(psp.settings()), read))
                .toList();
        WarmUp.read(adapters);
        assertThat(adapters).map(PspAdapter::notificationFormat).containsAll(EnumSet.allOf(BodyFormat.class));
        for (PspAdapter adapter : adapters) {
            assertThat(read).contains(adapter.psp() + " verify", adapter.psp() + " translate");
        }
    }

    /** Writes down what is called; a verified body or a fact would be a notification that nobody sent. */
    private static PspAdapter watched(PspAdapter adapter, Set<String> read) {
        return (PspAdapter) Proxy.newProxyInstance(
                PspAdapter.class.getClassLoader(), new Class<?>[] {PspAdapter.class}, (proxy, method, arguments) -> {
                    Object result = method.invoke(adapter, arguments);
                    read.add(adapter.psp() + " " + method.getName());
                    assertThat(result).isNotInstanceOfAny(Verified.class, Translation.Facts.class);
                    return result;
                });
    }
}
