package io.quittance.app;

import io.quittance.config.Config;
import io.quittance.config.Config.Merchant;
import io.quittance.config.Config.PspAccount;
import io.quittance.http.Merchants;
import io.quittance.psp.InvalidSettings;
import io.quittance.psp.PspAdapter;
import io.quittance.psp.Psps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over from a changed configuration what can change while the gateway runs: the accounts at PSPs with their keys,
 * and the API keys of merchants. Everything else waits for the next start, and the log says so.
 */
final class Reload {

    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    private final Adapters adapters;
    private final Psps psps;
    private final Merchants merchants;
    private Config current;

    Reload(Adapters adapters, Psps psps, Merchants merchants, Config current) {
        this.adapters = adapters;
        this.psps = psps;
        this.merchants = merchants;
        this.current = current;
    }

    /** The merchant of each API key's hash. */
    static Map<String, String> merchantByKey(Config config) {
        return merchantByKey(config.merchants());
    }

    /**
     * Takes over what differs. An account that is not there any more stays until the next start, because orders may
     * still wait for what became of their payments there.
     *
     * @throws InvalidSettings with every mistake in the accounts; then nothing changes
     */
    synchronized void apply(Config next) {
        List<PspAccount> accounts = withGone(next.psp());
        List<PspAdapter> built = adapters.build(accounts);
        List<Merchant> known = knownMerchants(next);
        psps.replace(built);
        merchants.replace(merchantByKey(known));
        tell(next, known);
        current = new Config(
                current.http(),
                current.ops(),
                current.postgres(),
                current.redis(),
                known,
                accounts,
                current.targets(),
                current.checkout(),
                current.engine(),
                current.timeout(),
                current.dispatch(),
                current.refund(),
                current.recovery(),
                current.inquiry());
    }

    private List<PspAccount> withGone(List<PspAccount> accounts) {
        Set<String> names = accounts.stream().map(Reload::name).collect(Collectors.toSet());
        List<PspAccount> all = new ArrayList<>(accounts);
        for (PspAccount before : current.psp()) {
            if (!names.contains(name(before))) {
                LOG.warn("the PSP account {} is not configured any more; it stays until the next start", name(before));
                all.add(before);
            }
        }
        return all;
    }

    /** The merchants that were there at the start, with their present keys; one that is gone has none. */
    private List<Merchant> knownMerchants(Config next) {
        Map<String, Merchant> byId =
                next.merchants().stream().collect(Collectors.toMap(Merchant::id, merchant -> merchant));
        return current.merchants().stream()
                .map(before -> {
                    Merchant now = byId.get(before.id());
                    List<String> keys = now == null ? List.<String>of() : now.apiKeySha256();
                    return new Merchant(before.id(), keys, before.target(), before.latePolicy());
                })
                .toList();
    }

    private void tell(Config next, List<Merchant> known) {
        for (PspAccount account : next.psp()) {
            if (!current.psp().contains(account)) {
                LOG.info("the PSP account {} has new settings from now on", name(account));
            }
        }
        for (int i = 0; i < known.size(); i++) {
            if (!known.get(i).equals(current.merchants().get(i))) {
                LOG.info(
                        "the merchant {} has other API keys from now on",
                        known.get(i).id());
            }
        }
        Set<String> waiting = waiting(next, known);
        if (!waiting.isEmpty()) {
            LOG.warn("changes of {} in the configuration take effect at the next start", waiting);
        }
    }

    /** The sections that differ and cannot be taken over. */
    private Set<String> waiting(Config next, List<Merchant> known) {
        Map<String, Boolean> differs = Map.ofEntries(
                Map.entry("http", !next.http().equals(current.http())),
                Map.entry("ops", !next.ops().equals(current.ops())),
                Map.entry("postgres", !next.postgres().equals(current.postgres())),
                Map.entry("redis", !next.redis().equals(current.redis())),
                Map.entry("merchants", !next.merchants().equals(known)),
                Map.entry("targets", !next.targets().equals(current.targets())),
                Map.entry("checkout", !next.checkout().equals(current.checkout())),
                Map.entry("engine", !next.engine().equals(current.engine())),
                Map.entry("timeout", !next.timeout().equals(current.timeout())),
                Map.entry("dispatch", !next.dispatch().equals(current.dispatch())),
                Map.entry("refund", !next.refund().equals(current.refund())),
                Map.entry("recovery", !next.recovery().equals(current.recovery())),
                Map.entry("inquiry", !next.inquiry().equals(current.inquiry())));
        return differs.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, String> merchantByKey(List<Merchant> merchants) {
        Map<String, String> byKey = new HashMap<>();
        merchants.forEach(merchant -> merchant.apiKeySha256().forEach(hash -> byKey.put(hash, merchant.id())));
        return byKey;
    }

    private static String name(PspAccount account) {
        return account.name() + "/" + account.account();
    }
}
