package local.handset;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What happened, of one phone or of a whole workspace.
 *
 * @param html an HTML file that needs nothing else
 * @param trace a .handset file, which Handset's page and {@code handset show} open
 * @param markdown for readers that are programs: the verdict, the evidence, and a scenario that repeats it
 * @param lines what went wrong, for a terminal
 */
public record Report(String html, byte[] trace, String markdown, List<String> lines) {
    /** Since an event, of the phone of this id, or of the workspace where it is null. What a test said when it failed stands at the head of the file. */
    static Report of(Control control, String title, String failure, long since, String phone) {
        var page = control.eventsReport(told(title, failure, since, phone));
        var lines = page.get("lines").list().stream().map(Json::text).toList();
        var markdown = markdownOf(control, title, failure, since, phone);
        return new Report(page.get("html").text(), traceOf(control, title, since, phone), markdown, lines);
    }

    static String htmlOf(Control control, String title, String failure, long since, String phone) {
        return control.eventsReport(told(title, failure, since, phone)).get("html").text();
    }

    static String markdownOf(Control control, String title, String failure, long since, String phone) {
        return control.eventsAgentReport(told(title, failure, since, phone)).get("markdown").text();
    }

    private static Map<String, Object> told(String title, String failure, long since, String phone) {
        var said = Names.failure(failure, Calls.REPORT_FAILURE_MAX);
        var query = about(title, since, phone);
        query.put("failure", said.isEmpty() ? null : said);
        return query;
    }

    static byte[] traceOf(Control control, String title, long since, String phone) {
        return Base64.getDecoder().decode(control.eventsTrace(about(title, since, phone)).get("handset").text());
    }

    /** The number of the latest event. */
    static long lastSeq(Control control) {
        return control.eventsList(Map.of("latest", true, "limit", 1)).get("last_seq").number();
    }

    private static Map<String, Object> about(String title, long since, String phone) {
        var query = new HashMap<String, Object>();
        query.put("title", Names.plain(title, Calls.REPORT_TITLE_MAX));
        query.put("after", since);
        query.put("phone_id", phone);
        return query;
    }
}
