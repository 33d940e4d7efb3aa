package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An RP: signs, calls the service, polls until a result is final. */
public final class RelyingParty {
    private static final Pattern ADDRESS = Pattern.compile("https?://([^/?]+)([^?]*)(?:\\?(.*))?");
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Set<String> FINAL = Set.of("success", "fail", "timeout");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** After so long who polls gives up on a service that refuses or does not answer. */
    private static final Duration GIVES_UP = Duration.ofSeconds(30);

    private final String baseUrl;
    private final Key key;
    private final Http http;

    public RelyingParty(String baseUrl, String accessKeyId, String secretKey) {
        this(baseUrl, accessKeyId, secretKey, Http.USUAL);
    }

    /** Of a service that speaks https with another certificate than one the JVM trusts: {@code ca} is what to trust, as PEM. */
    public RelyingParty(String baseUrl, String accessKeyId, String secretKey, String ca) {
        this(baseUrl, accessKeyId, secretKey, Http.trusting(ca));
    }

    RelyingParty(String baseUrl, String accessKeyId, String secretKey, Http http) {
        this.baseUrl = baseUrl.replaceFirst("/$", "");
        this.key = new Key(accessKeyId, secretKey, "");
        this.http = http;
    }

    /** An access key; the identifier of the scope is usually empty. */
    public record Key(String accessKeyId, String secretKey, String identifier) {}

    /** A header that is signed as well. */
    public record Header(String name, String value) {}

    /** Any call, signed: the `data` of its answer. */
    public Json call(String method, String pathAndQuery, Map<String, ?> body) {
        var octets = body == null ? new byte[0] : Json.of(body).toString().getBytes(UTF_8);
        var headers = new HashMap<>(sign(method, baseUrl + pathAndQuery, octets, List.of(), key, null));
        headers.put("Content-Type", "application/json");
        return http.call(method, baseUrl + pathAndQuery, headers, body == null ? null : octets, PATIENCE);
    }

    public Message register(String userId, String username) {
        return message("attestation", Map.of("user_id", userId, "username", username));
    }

    /** Method is {@code qrcode} or {@code push}. */
    public Message signIn(String userId, String username, String method) {
        return message("assertion", Map.of("user_id", userId, "username", username, "method", method));
    }

    private Message message(String ceremony, Map<String, ?> body) {
        var data = call("POST", "/rp/" + ceremony + "/options", body);
        return fitting(data, () -> new Message(data.get("url").text(), data.get("expires_at").number(), ceremony));
    }

    /** The result as it is now. The service delivers a final one once. */
    public Json result(Message message) {
        return call("GET", "/rp/" + message.ceremony() + "/result?msg_id=" + encode(message.msgId()), null);
    }

    /**
     * Polls each second until the result is final; StillOpen when that takes too long. It goes on where the service refuses for
     * the moment or does not answer, for 30 seconds at most. An interrupt cancels it.
     */
    public Json waitForResult(Message message, Duration timeout) {
        return waitForResult(message, timeout, GIVES_UP);
    }

    Json waitForResult(Message message, Duration timeout, Duration patience) {
        var answered = System.nanoTime();
        var until = answered + timeout.toNanos();
        while (true) {
            HandsetException problem;
            try {
                var result = result(message);
                var status = fitting(result, () -> result.get("status").text());
                if (FINAL.contains(status)) return result;
                problem = new HandsetException.StillOpen("the result is still " + status + " after " + timeout.toMillis() + " ms");
                answered = System.nanoTime();
            } catch (HandsetException.Refused refusal) {
                if (!passes(refusal.code()) || System.nanoTime() - answered > patience.toNanos()) throw refusal;
                problem = refusal;
            }
            var left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) throw problem;
            try {
                Thread.sleep(Math.min(1000, left));
            } catch (InterruptedException reason) {
                Thread.currentThread().interrupt();
                throw new HandsetException("interrupted while waiting for the result of " + message.msgId(), reason);
            }
        }
    }

    /** The same call may be answered later: too many calls, a problem of the service, or no answer. */
    private static boolean passes(int code) {
        return code == 0 || code / 100 == 429 || code / 100 >= 500;
    }

    public List<Json> credentials(String userId) {
        var data = call("GET", "/rp/credentials?user_id=" + encode(userId), null);
        return fitting(data, () -> data.get("list").list());
    }

    /** How many there were. */
    public long deleteCredentials(String userId, List<String> credentialIds) {
        var data = call("DELETE", "/rp/credentials", Map.of("user_id", userId, "credential_ids", credentialIds));
        return fitting(data, () -> data.get("total").number());
    }

    private static <T> T fitting(Json data, Supplier<T> read) {
        try {
            return read.get();
        } catch (HandsetException wrong) {
            throw new HandsetException.Refused(0, "The answer does not fit: " + wrong.getMessage(), data);
        }
    }

    /** The two headers that a request needs: docs/interface/signing.md. A date of null is now. */
    public static Map<String, String> sign(
            String method, String url, byte[] body, List<Header> headers, Key key, String date) {
        if (date == null) date = DATE.format(Instant.now());
        var address = ADDRESS.matcher(url);
        if (!address.matches()) throw new IllegalArgumentException("not an http address: " + url);
        var path = address.group(2).isEmpty() ? "/" : address.group(2);

        var all = new ArrayList<>(List.of(new Header("host", address.group(1)), new Header("x-svc-date", date)));
        all.addAll(headers);
        var signed = new TreeMap<String, String>();
        for (var header : all) {
            var value = header.value().replaceAll(" +", " ").replaceAll("^ | $", "");
            signed.merge(header.name().toLowerCase(Locale.ROOT), value, (before, next) -> before + "," + next);
        }
        var names = String.join(";", signed.keySet());
        var lines = signed.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n").collect(Collectors.joining());

        var query = canonicalQuery(address.group(3));
        var canonical = String.join("\n", method.toUpperCase(Locale.ROOT), path, query, lines, names, sha256(body));
        var scope = "fido-server/" + key.identifier();
        var toSign = String.join("\n", "SVC-HMAC-SHA256", date, scope, sha256(canonical.getBytes(UTF_8)));
        var authorization = "SVC-HMAC-SHA256 %s/%s,%s,%s".formatted(key.accessKeyId(), scope, names, hmac(key.secretKey(), toSign));
        return Map.of("X-Svc-Date", date, "Authorization", authorization);
    }

    private static String canonicalQuery(String query) {
        var pairs = new ArrayList<String[]>();
        for (var pair : (query == null ? "" : query).split("&")) {
            if (pair.isEmpty()) continue;
            var parts = pair.split("=", 2);
            pairs.add(new String[] {encodeAgain(parts[0]), encodeAgain(parts.length > 1 ? parts[1] : "")});
        }
        pairs.sort((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]));
        return pairs.stream().map(pair -> pair[0] + "=" + pair[1]).collect(Collectors.joining("&"));
    }

    /** Decoded once and encoded again, octet by octet. */
    private static String encodeAgain(String text) {
        var out = new StringBuilder();
        var octets = text.getBytes(UTF_8);
        for (int i = 0; i < octets.length; i++) {
            int octet = octets[i] & 0xff;
            if (octet == '%' && i + 2 < octets.length) octet = HexFormat.fromHexDigits(text, i + 1, (i += 2) + 1);
            var plain = octet < 128 && (Character.isLetterOrDigit(octet) || "-._~".indexOf(octet) >= 0);
            out.append(plain ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
        }
        return out.toString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    private static String sha256(byte[] octets) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
        } catch (GeneralSecurityException reason) {
            throw new IllegalStateException(reason);
        }
    }

    private static String hmac(String secret, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException reason) {
            throw new IllegalStateException(reason);
        }
    }
}
