package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The control interface of one workspace, call by call: docs/control-routes.md. */
public final class Control extends Calls {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String controlUrl;
    private final String token;
    private final Http http;

    Control(String controlUrl, String token, Http http) {
        this.controlUrl = controlUrl.replaceFirst("/$", "");
        this.token = token;
        this.http = http;
    }

    /** The same interface of another workspace. */
    Control at(String otherUrl) {
        return new Control(otherUrl, token, http);
    }

    Http http() {
        return http;
    }

    public String controlUrl() {
        return controlUrl;
    }

    public String token() {
        return token;
    }

    @Override
    Json call(String method, String path, Map<String, ?> params, Map<String, ?> query, Map<String, ?> body) {
        for (var param : params.entrySet()) {
            path = path.replace("{" + param.getKey() + "}", encode(String.valueOf(param.getValue())));
        }
        var asked = query.entrySet().stream()
                .filter(each -> each.getValue() != null)
                .map(each -> each.getKey() + "=" + encode(String.valueOf(each.getValue())))
                .collect(Collectors.joining("&"));
        var url = controlUrl + path + (asked.isEmpty() ? "" : "?" + asked);
        var sent = body == null ? null : new LinkedHashMap<String, Object>(body);
        if (sent != null) sent.values().removeIf(value -> value == null);
        // A wait may take as long as it says.
        var longer = sent != null && sent.get("timeout_ms") instanceof Number ms ? ms.longValue() : 0;
        var headers = Map.of("Authorization", "Bearer " + token, "Content-Type", "application/json");
        try {
            return http.call(method, url, headers, sent == null ? null : Json.of(sent).toString().getBytes(UTF_8), PATIENCE.plusMillis(longer));
        } catch (HandsetException.Refused refusal) {
            if (refusal.code() != PHONE_REFUSED) throw refusal;
            throw new HandsetException.PhoneRefused(refusal.data().get("word").text("phone"), refusal.getMessage());
        }
    }

    /** Reads a stream until the bench ends it or the line breaks; a Refused where it is refused. */
    void hold(String path) {
        http.readToEnd(controlUrl + path, Map.of("Authorization", "Bearer " + token));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
