import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * java Sign.java   registers alice with a phone, and signs her in. Java 17.
 * java Sign.java METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.
 */
public final class Sign {
    private static final Pattern ADDRESS = Pattern.compile("https?://([^/?]+)([^?]*)(?:\\?(.*))?");
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    public record Key(String accessKeyId, String secretKey, String identifier) {}

    public record Signed(String date, String authorization) {}

    /** Each header is a name and a value; a date of null is now. */
    public static Signed sign(String method, String url, byte[] body, List<String[]> headers, Key key, String date)
            throws GeneralSecurityException {
        if (date == null) date = DATE.format(Instant.now());
        var address = ADDRESS.matcher(url);
        if (!address.matches()) throw new IllegalArgumentException("not an http address: " + url);
        var path = address.group(2).isEmpty() ? "/" : address.group(2);

        var pairs = new ArrayList<String[]>();
        for (var pair : (address.group(3) == null ? "" : address.group(3)).split("&")) {
            if (pair.isEmpty()) continue;
            var parts = pair.split("=", 2);
            pairs.add(new String[] {encode(parts[0]), encode(parts.length > 1 ? parts[1] : "")});
        }
        pairs.sort((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]));
        var query = pairs.stream().map(pair -> pair[0] + "=" + pair[1]).collect(Collectors.joining("&"));

        var all = new ArrayList<String[]>(List.of(new String[] {"host", address.group(1)}, new String[] {"x-svc-date", date}));
        all.addAll(headers);
        var signed = new TreeMap<String, String>();
        for (var header : all) {
            var value = header[1].replaceAll(" +", " ").replaceAll("^ | $", "");
            signed.merge(header[0].toLowerCase(), value, (before, next) -> before + "," + next);
        }
        var names = String.join(";", signed.keySet());
        var lines = signed.entrySet().stream()
                .map(header -> header.getKey() + ":" + header.getValue() + "\n").collect(Collectors.joining());

        var canonical = String.join("\n", method.toUpperCase(), path, query, lines, names, sha256(body));
        var scope = "fido-server/" + key.identifier();
        var toSign = String.join("\n", "SVC-HMAC-SHA256", date, scope, sha256(canonical.getBytes(UTF_8)));
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key.secretKey().getBytes(UTF_8), "HmacSHA256"));
        var signature = HexFormat.of().formatHex(mac.doFinal(toSign.getBytes(UTF_8)));
        return new Signed(date, "SVC-HMAC-SHA256 %s/%s,%s,%s".formatted(key.accessKeyId(), scope, names, signature));
    }

    /** Decoded once and encoded again, octet by octet. */
    private static String encode(String text) {
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

    private static String sha256(byte[] octets) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(octets));
    }

    /** One signed request. What the service refuses ends the program. */
    private static String call(String method, String path, String body) throws Exception {
        var url = System.getenv("BASE_URL") + path;
        var key = new Key(System.getenv("ACCESS_KEY_ID"), System.getenv("SECRET_KEY"), "");
        var signed = sign(method, url, body.getBytes(UTF_8), List.of(), key, null);
        var request = HttpRequest.newBuilder(URI.create(url))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("X-Svc-Date", signed.date()).header("Authorization", signed.authorization())
                .header("Content-Type", "application/json").build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
        var code = member(answer, "code");
        if (!code.equals("0")) end(code + " " + member(answer, "error") + " (" + method + " " + path + ")");
        return answer;
    }

    /** Java has no JSON of its own: a server takes its library’s. */
    private static String member(String json, String name) {
        var found = Pattern.compile('"' + name + "\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\d+))").matcher(json);
        return !found.find() ? "" : found.group(1) == null ? found.group(2) : found.group(1);
    }

    /** Shows a code, and waits for what becomes of it. */
    private static String ceremony(String kind, String request) throws Exception {
        var url = member(call("POST", "/rp/" + kind + "/options", request), "url");
        System.out.println("Scan with a phone: " + url);
        String result;
        do {
            Thread.sleep(1000);
            result = call("GET", "/rp/" + kind + "/result?msg_id=" + url.split("#")[1].substring(1), "");
        } while (List.of("init", "bind").contains(member(result, "status")));
        if (!member(result, "status").equals("success")) end(result);
        return result;
    }

    private static void firstSignIn() throws Exception {
        if (System.getenv("BASE_URL") == null) end("Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.");
        if (member(call("GET", "/rp/credentials?user_id=alice", ""), "total").equals("0")) {
            ceremony("attestation", "{\"user_id\":\"alice\",\"username\":\"alice\"}");
            System.out.println("Registered.");
        }
        var result = ceremony("assertion", "{\"user_id\":\"alice\",\"username\":\"alice\",\"method\":\"qrcode\"}");
        if (!member(result, "user_id").equals("alice")) end("The answer was for somebody else.");
        System.out.println("Signed in: alice");
    }

    private static void end(String why) {
        System.err.println(why);
        System.exit(1);
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            firstSignIn();
            return;
        }
        var headers = Arrays.stream(args).skip(2).map(text -> text.split(":", 2)).toList();
        var env = System.getenv();
        var key = new Key(env.get("ACCESS_KEY_ID"), env.get("SECRET_KEY"), env.getOrDefault("SCOPE_IDENTIFIER", ""));
        var signed = sign(args[0], args[1], System.in.readAllBytes(), headers, key, env.get("SVC_DATE"));
        var out = new PrintStream(System.out, true, UTF_8);
        out.print("X-Svc-Date: " + signed.date() + "\nAuthorization: " + signed.authorization() + "\n");
    }
}
