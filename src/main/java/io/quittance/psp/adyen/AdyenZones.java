package io.quittance.psp.adyen;

import static java.util.Map.entry;

import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/** The abbreviations with which Adyen's reports name time zones (docs.adyen.com/reporting/time-zone-setting). */
final class AdyenZones {

    /** Those that several parts of the world use for different times, as CST and IST, are left out. */
    private static final Map<String, ZoneOffset> OFFSETS = Map.ofEntries(
            entry("UTC", ZoneOffset.UTC),
            entry("GMT", ZoneOffset.UTC),
            entry("WET", ZoneOffset.UTC),
            entry("BST", ZoneOffset.ofHours(1)),
            entry("WEST", ZoneOffset.ofHours(1)),
            entry("CET", ZoneOffset.ofHours(1)),
            entry("CEST", ZoneOffset.ofHours(2)),
            entry("EET", ZoneOffset.ofHours(2)),
            entry("EEST", ZoneOffset.ofHours(3)),
            entry("SGT", ZoneOffset.ofHours(8)),
            entry("HKT", ZoneOffset.ofHours(8)),
            entry("AWST", ZoneOffset.ofHours(8)),
            entry("JST", ZoneOffset.ofHours(9)),
            entry("AEST", ZoneOffset.ofHours(10)),
            entry("AEDT", ZoneOffset.ofHours(11)),
            entry("NZST", ZoneOffset.ofHours(12)),
            entry("NZDT", ZoneOffset.ofHours(13)),
            entry("BRT", ZoneOffset.ofHours(-3)),
            entry("EDT", ZoneOffset.ofHours(-4)),
            entry("EST", ZoneOffset.ofHours(-5)),
            entry("MDT", ZoneOffset.ofHours(-6)),
            entry("MST", ZoneOffset.ofHours(-7)),
            entry("PDT", ZoneOffset.ofHours(-7)),
            entry("PST", ZoneOffset.ofHours(-8)));

    private AdyenZones() {}

    /** Empty for an abbreviation that is not known or not clear. */
    static Optional<ZoneOffset> offset(String abbreviation) {
        return Optional.ofNullable(OFFSETS.get(abbreviation));
    }
}
