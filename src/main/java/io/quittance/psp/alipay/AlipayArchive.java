package io.quittance.psp.alipay;

import io.quittance.psp.SettlementBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The ZIP archive that a bill comes in: {@code ..._业务明细.csv} and, not needed, {@code ..._业务明细(汇总).csv}. Its
 * entries' names are in GBK, or in UTF-8 if they are marked so, whatever the machine's own charset is.
 */
final class AlipayArchive {

    private static final Charset NAMES = Charset.forName("GBK");

    /** A superset of GBK, which is what is written. */
    private static final Charset CONTENTS = Charset.forName("GB18030");

    /** Where the first entry says whether it is encrypted (APPNOTE.TXT 4.3.7 and 4.4.4). */
    private static final int FLAGS_AT = 6;

    private static final int ENCRYPTED = 1;

    private AlipayArchive() {}

    /**
     * The text with the rows, or else what is wrong.
     *
     * @param details null if something is wrong
     */
    record Opened(@Nullable String details, String problem) {

        private static Opened failed(String problem) {
            return new Opened(null, problem);
        }

        private static Opened read(byte[] details) {
            return SettlementBytes.text(details, CONTENTS)
                    .map(text -> new Opened(text, ""))
                    .orElseGet(() -> failed("the file is not text in " + CONTENTS));
        }
    }

    /** Opens an archive, or the file that should be in it. */
    static Opened open(byte[] file) {
        boolean isArchive = file.length > FLAGS_AT && file[0] == 'P' && file[1] == 'K' && file[2] == 3 && file[3] == 4;
        if (!isArchive) {
            return Opened.read(file);
        }
        if ((file[FLAGS_AT] & ENCRYPTED) != 0) {
            return Opened.failed("the archive is encrypted");
        }
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(file), NAMES)) {
            return open(zip);
        } catch (IOException | IllegalArgumentException e) {
            // The second one is Java's way to say that a name is not in the charset.
            return Opened.failed("the archive is damaged, encrypted, or has names that are not in GBK");
        }
    }

    /** All that is unpacked counts, what is not used too: otherwise it could be a bomb. */
    private static Opened open(ZipInputStream zip) throws IOException {
        byte[] details = null;
        int bytesLeft = SettlementBytes.BYTES_MAX;
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            boolean isDetails = entry.getName().endsWith("业务明细.csv");
            if (!isDetails && !isSummary(entry.getName())) {
                return Opened.failed("the archive has an entry that is neither 业务明细 nor its 汇总");
            }
            if (isDetails && details != null) {
                return Opened.failed("the archive has 业务明细 twice");
            }
            Optional<byte[]> unpacked = SettlementBytes.unpack(zip, bytesLeft);
            if (unpacked.isEmpty()) {
                return Opened.failed(SettlementBytes.tooLarge().problem());
            }
            bytesLeft -= unpacked.get().length;
            details = isDetails ? unpacked.get() : details;
        }
        return details == null ? Opened.failed("the archive has no 业务明细") : Opened.read(details);
    }

    private static boolean isSummary(String name) {
        return name.endsWith("业务明细(汇总).csv") || name.endsWith("业务明细（汇总）.csv");
    }
}
