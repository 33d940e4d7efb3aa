package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** The shop of clients/python/examples: somebody else's server, and as much of a customer's browser as these tests need. */
final class Shop implements CloseableResource {
    private final Process server;
    private final String address;

    Shop(Handset handset) throws IOException {
        var key = handset.workspace().accessKey();
        var builder = new ProcessBuilder("python3", System.getProperty("shop"));
        builder.environment().putAll(Map.of(
                "BASE_URL", handset.baseUrl(),
                "ACCESS_KEY_ID", key.id(),
                "SECRET_KEY", key.secret()));
        server = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        address = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8)).readLine();
    }

    Json post(String path, Map<String, ?> document) throws IOException, InterruptedException {
        var body = HttpRequest.BodyPublishers.ofString(Json.of(document).toString());
        return send(HttpRequest.newBuilder(URI.create(address + path)).POST(body).build());
    }

    String status(Json attempt) throws IOException, InterruptedException {
        var url = address + "/attempts/" + attempt.get("attempt").text();
        return send(HttpRequest.newBuilder(URI.create(url)).build()).get("status").text();
    }

    private static Json send(HttpRequest request) throws IOException, InterruptedException {
        return Json.parse(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    }

    @Override
    public void close() {
        server.destroy();
    }
}
