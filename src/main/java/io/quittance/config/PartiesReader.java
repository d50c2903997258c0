package io.quittance.config;

import io.quittance.config.Config.Merchant;
import io.quittance.config.Config.Mode;
import io.quittance.config.Config.PspAccount;
import io.quittance.config.Config.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads who takes part: merchants, the targets of their conclusions, and the accounts at PSPs. */
final class PartiesReader {

    /** Names stand in addresses, so they are plain. */
    private static final String NAME = "[a-z0-9][a-z0-9_-]{0,62}";

    private static final int SECRET_BYTES_MIN = 16;

    private final Section root;
    private final boolean privateByDefault;

    PartiesReader(Section root, Mode mode) {
        this.root = root;
        this.privateByDefault = mode == Mode.DEV;
    }

    List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Section section : root.sections("targets")) {
            boolean allowPrivate = section.flag("allow_private", privateByDefault);
            Target target = new Target(
                    name(section, "name"),
                    webAddress(section, "url", section.text("url"), allowPrivate),
                    new Secret(webhookSecret(section)),
                    lookupUrl(section, allowPrivate),
                    allowPrivate,
                    conclusions(section),
                    section.flag("corrections", false),
                    section.duration("final_after", Target.FINAL_AFTER, Duration.ZERO, Target.FINAL_AFTER_MAX));
            if (!target.name().isEmpty() && !names.add(target.name())) {
                section.mistake("name", "is the name of an earlier target too; choose another");
            }
            section.finish();
            targets.add(target);
        }
        return List.copyOf(targets);
    }

    private static List<String> conclusions(Section section) {
        List<String> wanted = section.texts("conclusions");
        if (wanted.isEmpty()) {
            return List.of("PAID");
        }
        for (int i = 0; i < wanted.size(); i++) {
            requireOneOf(section, "conclusions[" + i + "]", wanted.get(i), Target.CONCLUSIONS);
        }
        if (!wanted.contains("PAID")) {
            section.mistake("conclusions", "must list PAID, which is what a target is for");
        }
        return List.copyOf(wanted);
    }

    private static void requireOneOf(Section section, String key, String value, List<String> choices) {
        if (!choices.contains(value)) {
            section.mistake(
                    key,
                    "must be one of " + String.join(", ", choices) + ", was \"" + value + "\""
                            + Spelling.didYouMean(value, choices));
        }
    }

    private static @Nullable String lookupUrl(Section section, boolean allowPrivate) {
        String url = section.optionalText("lookup_url");
        if (url == null) {
            return null;
        }
        if (!url.contains("{order_no}")) {
            section.mistake("lookup_url", "must contain {order_no} where the order's number goes");
        }
        return webAddress(section, "lookup_url", url, allowPrivate);
    }

    private static String webhookSecret(Section section) {
        String secret = section.text("secret");
        if (!secret.isEmpty() && !isWebhookSecret(secret)) {
            section.mistake(
                    "secret",
                    "must be whsec_ and the base64 of at least " + SECRET_BYTES_MIN
                            + " random bytes; make one with: echo whsec_$(openssl rand -base64 32)");
        }
        return secret;
    }

    private static boolean isWebhookSecret(String secret) {
        if (!secret.startsWith("whsec_")) {
            return false;
        }
        try {
            return Base64.getDecoder().decode(secret.substring("whsec_".length())).length >= SECRET_BYTES_MIN;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    List<Merchant> merchants(List<Target> targets) {
        Set<String> targetNames = targets.stream().map(Target::name).collect(Collectors.toSet());
        List<Merchant> merchants = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (Section section : root.sections("merchants")) {
            Merchant merchant = new Merchant(
                    name(section, "id"), apiKeys(section, keys), section.text("target"), latePolicy(section));
            if (!merchant.id().isEmpty() && !ids.add(merchant.id())) {
                section.mistake("id", "is the id of an earlier merchant too; choose another");
            }
            if (!merchant.target().isEmpty() && !targetNames.contains(merchant.target())) {
                section.mistake(
                        "target", "names no entry of targets" + Spelling.didYouMean(merchant.target(), targetNames));
            }
            section.finish();
            merchants.add(merchant);
        }
        return List.copyOf(merchants);
    }

    private static String latePolicy(Section section) {
        String policy = section.text("late_policy", "REFUND");
        requireOneOf(section, "late_policy", policy, Merchant.LATE_POLICIES);
        return policy;
    }

    private static List<String> apiKeys(Section section, Set<String> seen) {
        List<String> hashes = section.texts("api_key_sha256");
        if (hashes.isEmpty()) {
            section.mistake("api_key_sha256", "must list the SHA-256 of at least one API key");
        }
        for (int i = 0; i < hashes.size(); i++) {
            if (!hashes.get(i).matches("[0-9a-f]{64}")) {
                section.mistake(
                        "api_key_sha256[" + i + "]",
                        "must be 64 lower-case hex characters; make them with: printf %s KEY | sha256sum");
            } else if (!seen.add(hashes.get(i))) {
                section.mistake("api_key_sha256[" + i + "]", "is listed before; a key belongs to one merchant");
            }
        }
        return List.copyOf(hashes);
    }

    List<PspAccount> pspAccounts() {
        List<PspAccount> accounts = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Section section : root.sections("psp")) {
            String name = name(section, "name");
            String account = name(section, "account");
            boolean allowPrivate = section.flag("allow_private", privateByDefault);
            Map<String, Object> settings = Map.copyOf(section.rest());
            settings.forEach((key, value) -> {
                if (value instanceof String text && text.matches("https?://.*")) {
                    webAddress(section, key, text, allowPrivate);
                }
            });
            if (!name.isEmpty() && !account.isEmpty() && !names.add(name + "/" + account)) {
                section.mistake("account", "is an account of that PSP that stands there already; choose another");
            }
            accounts.add(new PspAccount(name, account, allowPrivate, settings));
        }
        return List.copyOf(accounts);
    }

    private static String name(Section section, String key) {
        String name = section.text(key);
        if (!name.isEmpty() && !name.matches(NAME)) {
            section.mistake(
                    key,
                    "must be 1 to 63 lower-case letters, digits, \"-\" or \"_\", and begin with a letter or digit, was \""
                            + name + "\"");
        }
        return name;
    }

    private static String webAddress(Section section, String key, String address, boolean allowPrivate) {
        String problem = address.isEmpty() ? null : Addresses.problem(address, allowPrivate);
        if (problem != null) {
            section.mistake(key, problem);
        }
        return address;
    }
}
