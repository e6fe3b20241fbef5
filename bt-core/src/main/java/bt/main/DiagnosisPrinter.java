package bt.main;

import bt.base.Bytes;
import bt.doctor.Diagnosis;
import bt.doctor.Finding;
import bt.doctor.Place;
import bt.model.RowRange;
import bt.shell.Json;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a doctor found, for people or as a JSON document. */
final class DiagnosisPrinter {
    private DiagnosisPrinter() {}

    /** A line for what was done, and for each finding: number of the invariant, place, fact; then what was looked at. */
    static void lines(PrintStream out, Diagnosis diagnosis) {
        diagnosis.repairs().forEach(repair -> out.println("fixed\t" + repair.place() + "\t" + repair.done()));
        diagnosis.findings().forEach(out::println);
        diagnosis.omissions().forEach(omission -> out.println("not examined\t" + omission));
        out.printf(
                "examined %d tablets, %d files, %d servers: %s%n",
                diagnosis.tablets(),
                diagnosis.files(),
                diagnosis.servers(),
                diagnosis.isHealthy() ? "healthy" : diagnosis.findings().size() + " broken");
    }

    static void document(PrintStream out, Diagnosis diagnosis) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("healthy", diagnosis.isHealthy());
        document.put("tablets", diagnosis.tablets());
        document.put("files", diagnosis.files());
        document.put("servers", diagnosis.servers());
        document.put(
                "findings",
                diagnosis.findings().stream().map(DiagnosisPrinter::document).toList());
        document.put(
                "repairs",
                diagnosis.repairs().stream()
                        .map(repair -> {
                            Map<String, Object> place = document(repair.place());
                            place.put("done", repair.done());
                            return place;
                        })
                        .toList());
        document.put("omissions", diagnosis.omissions());
        Json.print(out, document);
    }

    private static Map<String, Object> document(Finding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("invariant", finding.rule().number());
        document.put("title", finding.rule().title());
        document.putAll(document(finding.place()));
        document.put("fact", finding.fact());
        return document;
    }

    private static Map<String, Object> document(Place place) {
        Map<String, Object> document = new LinkedHashMap<>();
        if (!place.table().isEmpty()) {
            document.put("table", place.table());
        }
        if (place.rows().isPresent()) {
            RowRange rows = place.rows().get();
            document.put("start", rows.start().toString());
            rows.end().map(Bytes::toString).ifPresent(end -> document.put("end", end));
        }
        if (!place.file().isEmpty()) {
            document.put("file", place.file());
        }
        return document;
    }
}
