package local.handset;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Calls that answer with an envelope, without proxies. */
final class Http {
    /** Trusts what the JVM trusts. */
    static final Http USUAL = new Http(builder().build());

    private final HttpClient client;

    private Http(HttpClient client) {
        this.client = client;
    }

    /** Trusts the certificates in a PEM text and no others; what the JVM trusts where it is null. */
    static Http trusting(String ca) {
        return ca == null ? USUAL : new Http(builder().sslContext(contextOf(ca)).build());
    }

    private static HttpClient.Builder builder() {
        // A proxy of null is none at all: a bench is on this machine or on one that is named.
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .proxy(ProxySelector.of(null));
    }

    private static SSLContext contextOf(String ca) {
        try {
            var pem = new ByteArrayInputStream(ca.getBytes(StandardCharsets.US_ASCII));
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                store.setCertificateEntry(String.valueOf(store.size()), certificate);
            }
            if (store.size() == 0) throw new GeneralSecurityException("there is none");
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException reason) {
            throw new HandsetException("ca must be certificates as PEM: " + reason.getMessage(), reason);
        }
    }

    /** The `data` of the answer; everything else is a Refused. */
    Json call(String method, String url, Map<String, String> headers, byte[] body, Duration patience) {
        var request = HttpRequest.newBuilder(URI.create(url))
                .timeout(patience)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        headers.forEach(request::header);
        try {
            var answer = whole(request.build(), patience);
            var envelope = envelope(answer.body());
            if (envelope == null) throw new HandsetException.Refused(0, "HTTP " + answer.statusCode() + ": what answers at " + url + " sends no envelope.", Json.of(null));
            var code = (int) envelope.get("code").number();
            if (code != 0) throw new HandsetException.Refused(code, envelope.get("error").text(), envelope.get("data"));
            return envelope.get("data");
        } catch (IOException reason) {
            throw new HandsetException.Refused(0, "Nothing answers at " + url + ": " + reason, Json.of(null));
        } catch (InterruptedException reason) {
            Thread.currentThread().interrupt();
            throw new HandsetException("interrupted while waiting for " + url, reason);
        }
    }

    /** The limit of a request ends with the head of its answer; this one ends with the last byte. */
    private HttpResponse<String> whole(HttpRequest request, Duration patience) throws IOException, InterruptedException {
        var answer = client.sendAsync(request, BodyHandlers.ofString());
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw new IOException("the answer was not whole within " + patience.toMillis() + " ms");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException reason ? reason : new IOException(failed.getCause());
        }
    }

    /** Reads a stream until the other side ends it; a Refused where it is refused, and of code 0 where the line breaks. */
    void readToEnd(String url, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(url));
        headers.forEach(request::header);
        try {
            var answer = client.send(request.build(), BodyHandlers.ofInputStream());
            try (var line = answer.body()) {
                if (answer.statusCode() != 200) throw new HandsetException.Refused(answer.statusCode() * 100, "HTTP " + answer.statusCode(), Json.of(null));
                while (line.read() >= 0) continue;
            }
        } catch (IOException reason) {
            throw new HandsetException.Refused(0, "Nothing answers at " + url + ": " + reason, Json.of(null));
        } catch (InterruptedException reason) {
            Thread.currentThread().interrupt();
            throw new HandsetException("interrupted while waiting for " + url, reason);
        }
    }

    private static Json envelope(String text) {
        try {
            var found = Json.parse(text);
            if (!found.has("data")) return null;
            found.get("code").number();
            found.get("error").text();
            return found;
        } catch (IllegalArgumentException | HandsetException reason) {
            return null;
        }
    }
}
