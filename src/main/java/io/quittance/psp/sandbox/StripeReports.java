package io.quittance.psp.sandbox;

import static io.quittance.psp.sandbox.StripeObjects.error;
import static io.quittance.psp.sandbox.StripeObjects.newId;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Stripe's Reports API (docs.stripe.com/reports/api): a run of an itemized report is created, pending at first, and names
 * its file when it is asked for again. Unlike Stripe's, the report may reach until now. There are no fees here.
 */
final class StripeReports {

    static final String RUNS = "/v1/reporting/report_runs";

    private static final String FILES = "/v1/files/";
    private static final String CONTENTS = "/contents";
    private static final String INVALID = "invalid_request_error";
    private static final Pattern TYPES =
            Pattern.compile("(balance_change_from_activity|payout_reconciliation)\\.itemized\\.[1-9]");

    /** A number of seconds of at most 12 digits. */
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    private final Ledger ledger;
    private final Shelf<Run> runs = new Shelf<>();
    private final Shelf<Buffer> files = new Shelf<>();

    StripeReports(Ledger ledger) {
        this.ledger = ledger;
    }

    private record Run(String id, Instant created, JsonObject parameters, String type, String fileId, int bytes) {}

    static boolean isAbout(String path) {
        return path.startsWith(RUNS + "/") || path.startsWith(FILES);
    }

    Reply run(Call call, Map<String, String> form, Instant now) {
        String type = form.getOrDefault("report_type", "");
        String from = form.getOrDefault("parameters[interval_start]", "");
        String to = form.getOrDefault("parameters[interval_end]", "");
        if (!TYPES.matcher(type).matches()) {
            return error(
                    400, INVALID, null, "Invalid report_type: the sandbox has itemized balance changes and payouts");
        }
        if (!SECONDS.matcher(from).matches() || !SECONDS.matcher(to).matches()) {
            return error(400, INVALID, "parameter_missing", "interval_start and interval_end must be Unix timestamps");
        }
        List<String> asked = Form.list(call.body().toString(), "parameters[columns]", StandardCharsets.UTF_8);
        List<String> columns = asked.isEmpty() ? StripeReportRow.DEFAULT_COLUMNS : asked;
        Optional<String> unknown = columns.stream()
                .filter(column -> !StripeReportRow.isColumn(column))
                .findFirst();
        if (unknown.isPresent()) {
            return error(400, INVALID, null, "Invalid column: " + unknown.get());
        }
        JsonObject parameters = new JsonObject()
                .put("interval_start", Long.parseLong(from))
                .put("interval_end", Long.parseLong(to))
                .put("timezone", form.getOrDefault("parameters[timezone]", "Etc/UTC"))
                .put("decimal_separator", form.getOrDefault("parameters[decimal_separator]", "."))
                .put("columns", new JsonArray(columns));
        try {
            return create(type, parameters, columns, now);
        } catch (DateTimeException e) {
            return error(400, INVALID, null, "Invalid timezone or interval");
        }
    }

    Optional<Reply> get(Call call, Instant now) {
        String path = call.path();
        if (path.startsWith(RUNS + "/")) {
            return runs.get(path.substring(RUNS.length() + 1), now)
                    .map(run -> Reply.json(200, shown(run, call.header("Host"))));
        }
        String id = path.endsWith(CONTENTS) ? path.substring(FILES.length(), path.length() - CONTENTS.length()) : "";
        return files.get(id, now).map(file -> new Reply(200, Map.of("Content-Type", "text/csv"), file));
    }

    private Reply create(String type, JsonObject parameters, List<String> columns, Instant now) {
        ZoneId zone = ZoneId.of(parameters.getString("timezone"));
        Buffer csv = csv(
                columns,
                zone,
                parameters.getString("decimal_separator"),
                ledger.moved(
                        StripeSide.PSP,
                        Instant.ofEpochSecond(parameters.getLong("interval_start")),
                        Instant.ofEpochSecond(parameters.getLong("interval_end"))));
        Run run = new Run(newId("frr_"), now, parameters, type, newId("file_"), csv.length());
        files.put(run.fileId, csv, Instant.MAX);
        runs.put(run.id, run, Instant.MAX);
        return Reply.json(200, pending(run));
    }

    private static Buffer csv(List<String> columns, ZoneId zone, String decimalSeparator, List<Moved> moved) {
        StringWriter text = new StringWriter();
        CsvWriter csv = CsvWriter.builder()
                .lineDelimiter(LineDelimiter.LF)
                .bufferSize(0)
                .build(text);
        csv.writeRecord(columns);
        for (Moved one : moved) {
            StripeReportRow row = new StripeReportRow(one, zone, decimalSeparator);
            csv.writeRecord(columns.stream().map(row::cell).toList());
        }
        return Buffer.buffer(text.toString());
    }

    private static JsonObject pending(Run run) {
        return new JsonObject()
                .put("id", run.id)
                .put("object", "reporting.report_run")
                .put("created", run.created.getEpochSecond())
                .put("error", null)
                .put("livemode", false)
                .put("parameters", run.parameters)
                .put("report_type", run.type)
                .put("result", null)
                .put("status", "pending")
                .put("succeeded_at", null);
    }

    private static JsonObject shown(Run run, String host) {
        JsonObject file = new JsonObject()
                .put("id", run.fileId)
                .put("object", "file")
                .put("created", run.created.getEpochSecond())
                .put("expires_at", null)
                .put("filename", run.id + ".csv")
                .put("purpose", "finance_report_run")
                .put("size", run.bytes)
                .put("title", "FinanceReportRun " + run.id)
                .put("type", "csv")
                .put("url", "http://" + host + "/" + StripeSide.PSP + FILES + run.fileId + CONTENTS);
        return pending(run)
                .put("result", file)
                .put("status", "succeeded")
                .put("succeeded_at", run.created.getEpochSecond());
    }
}
