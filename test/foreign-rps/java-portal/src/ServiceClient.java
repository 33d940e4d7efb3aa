package portal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Speaks the relying party's interface of the FIDO service. A call always ends within its limit, and never with an exception. */
final class ServiceClient {
    /** The longest wait for one response. */
    static final long LIMIT = 3000;
    private static final int MOST_OCTETS = 64 * 1024;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY).build();

    /** A code of the service; data only with the code 0. */
    record Reply(int code, JsonNode data) {
        /** No response, or one that cannot be used. */
        static final Reply NONE = new Reply(-1, null);

        boolean usable() {
            return code == 0;
        }

        /** The text of a member; of anything but a string, nothing. */
        String text(String member) {
            JsonNode node = data.path(member);
            return node.isTextual() ? node.textValue() : "";
        }
    }

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).build();
    private final URI base;
    private final String keyId;
    private final byte[] secret;
    private final ScheduledExecutorService timer;

    ServiceClient(String baseUrl, String keyId, String secret, ScheduledExecutorService timer) {
        this.base = URI.create(baseUrl.replaceAll("/+$", ""));
        this.keyId = keyId;
        this.secret = secret.getBytes(UTF_8);
        this.timer = timer;
    }

    Reply begin(String ceremony, String userId, String method) {
        ObjectNode body = JSON.createObjectNode().put("user_id", userId).put("username", userId);
        if (method != null) body.put("method", method);
        return call("POST", "/rp/" + ceremony + "/options", "", body.toString(), LIMIT).join();
    }

    CompletableFuture<Reply> result(String ceremony, String msgId, long limit) {
        return call("GET", "/rp/" + ceremony + "/result", "msg_id=" + encode(msgId), "", limit);
    }

    CompletableFuture<Reply> credentials(String userId, long limit) {
        return call("GET", "/rp/credentials", "user_id=" + encode(userId), "", limit);
    }

    CompletableFuture<Reply> delete(String userId, Collection<String> credentialIds) {
        ObjectNode body = JSON.createObjectNode().put("user_id", userId);
        body.set("credential_ids", JSON.valueToTree(credentialIds));
        return call("DELETE", "/rp/credentials", "", body.toString(), LIMIT);
    }

    /** The address of a message, if it is one of this service and holds a token of this kind. */
    Optional<URI> message(String text, char kind) {
        if (text.length() > 500) return Optional.empty();
        try {
            URI url = new URI(text);
            boolean ours = base.getScheme().equalsIgnoreCase(url.getScheme()) && base.getHost().equalsIgnoreCase(url.getHost())
                    && portOf(base) == portOf(url) && url.getRawUserInfo() == null;
            String token = url.getRawFragment();
            return ours && token != null && token.matches(kind + "[A-Za-z0-9_-]{16,64}") ? Optional.of(url) : Optional.empty();
        } catch (java.net.URISyntaxException problem) {
            return Optional.empty();
        }
    }

    private static int portOf(URI url) {
        if (url.getPort() != -1) return url.getPort();
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }

    private CompletableFuture<Reply> call(String method, String path, String query, String body, long limit) {
        String fullPath = base.getRawPath() + path;
        String authority = base.getPort() == -1 || base.getPort() == portOf(URI.create(base.getScheme() + "://x"))
                ? base.getHost() : base.getHost() + ":" + base.getPort();
        String date = DATE.format(Instant.now());
        var request = HttpRequest.newBuilder(URI.create(base.getScheme() + "://" + authority + fullPath + (query.isEmpty() ? "" : "?" + query)))
                .header("X-Svc-Date", date)
                .header("Authorization", authorization(method, fullPath, query, authority, date, body))
                .header("Accept", "application/json");
        if (body.isEmpty()) request.method(method, HttpRequest.BodyPublishers.noBody());
        else request.header("Content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body, UTF_8));
        var sent = http.sendAsync(request.build(), head -> new LimitedBody());
        // The client's own timeout ends with the head of the response: this one holds for the body too.
        var limiter = timer.schedule(() -> sent.cancel(true), limit, TimeUnit.MILLISECONDS);
        return sent.handle((response, problem) -> {
            limiter.cancel(false);
            return problem == null ? read(response.statusCode(), response.body()) : Reply.NONE;
        });
    }

    private static Reply read(int httpStatus, byte[] body) {
        JsonNode envelope;
        try {
            envelope = JSON.readTree(UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
        } catch (CharacterCodingException | JacksonException problem) {
            return Reply.NONE;
        }
        JsonNode code = envelope.path("code");
        if (!code.isInt()) return Reply.NONE;
        if (code.intValue() != 0) return new Reply(code.intValue(), null);
        if (httpStatus != 200) return Reply.NONE;
        JsonNode data = envelope.path("data");
        return data.isObject() && empty(envelope.path("error")) ? new Reply(0, data) : Reply.NONE;
    }

    /** An error that is missing or the empty string. */
    static boolean empty(JsonNode error) {
        return error.isMissingNode() || error.isTextual() && error.textValue().isEmpty();
    }

    private String authorization(String method, String path, String query, String host, String date, String body) {
        try {
            String names = "host;x-svc-date";
            String canonical = String.join("\n", method, path, query, "host:" + host, "x-svc-date:" + date, "", names, sha256(body));
            String scope = "fido-server/";
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            byte[] signature = mac.doFinal(String.join("\n", "SVC-HMAC-SHA256", date, scope, sha256(canonical)).getBytes(UTF_8));
            return "SVC-HMAC-SHA256 " + keyId + "/" + scope + "," + names + "," + HexFormat.of().formatHex(signature);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String sha256(String text) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    /** The encoding that the signature wants: one parameter needs no sorting. */
    private static String encode(String text) {
        var out = new StringBuilder();
        for (byte octet : text.getBytes(UTF_8)) {
            boolean plain = octet > 0 && (Character.isLetterOrDigit(octet) || "-._~".indexOf(octet) >= 0);
            out.append(plain ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
        }
        return out.toString();
    }

    /** Takes a body up to the limit and hangs up on a longer one. */
    private static final class LimitedBody implements HttpResponse.BodySubscriber<byte[]> {
        private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
        private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
        private Flow.Subscription subscription;

        @Override public CompletionStage<byte[]> getBody() {
            return whole;
        }

        @Override public void onSubscribe(Flow.Subscription subscription) {
            this.subscription = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (octets.size() + buffer.remaining() > MOST_OCTETS) {
                    subscription.cancel();
                    whole.completeExceptionally(new IOException("the body is too long"));
                    return;
                }
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                octets.writeBytes(part);
            }
        }

        @Override public void onError(Throwable problem) {
            whole.completeExceptionally(problem);
        }

        @Override public void onComplete() {
            whole.complete(octets.toByteArray());
        }
    }
}
