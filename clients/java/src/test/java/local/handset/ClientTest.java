package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client offers, against a real bench; for each assertion the case in which it must fail. */
@ExtendWith(HandsetExtension.class)
class ClientTest {
    @Test
    void signsEveryVector() throws Exception {
        var vectors = Json.parse(Files.readString(Path.of(System.getProperty("vectors")))).get("vectors").list();
        assertTrue(vectors.size() >= 40);
        for (var vector : vectors) {
            var headers = vector.get("headers").list().stream()
                    .map(pair -> new RelyingParty.Header(pair.list().get(0).text(), pair.list().get(1).text())).toList();
            var key = new RelyingParty.Key(
                    vector.get("access_key_id").text(), vector.get("secret_key").text(), vector.get("scope_identifier").text());
            var signed = RelyingParty.sign(vector.get("method").text(), vector.get("url").text(),
                    vector.get("body").text().getBytes(UTF_8), headers, key, vector.get("x_svc_date").text());
            assertEquals(vector.get("authorization").text(), signed.get("Authorization"), vector.get("name").text());
        }
    }

    @Test
    void anRpRegistersSignsInListsAndDeletes(Handset handset, Phone phone) {
        var rp = handset.workspace().relyingParty();
        var message = rp.register("k-1", "Zoë & 中");
        phone.scan(message.url());
        phone.approve();
        assertEquals("success", rp.waitForResult(message, Duration.ofSeconds(60)).get("status").text());
        var signedIn = rp.signIn("k-1", "zoe", "push");
        phone.waitForPush(Duration.ofSeconds(60));
        phone.approve();
        assertEquals("k-1", rp.waitForResult(signedIn, Duration.ofSeconds(60)).get("user_id").text());
        var ids = rp.credentials("k-1").stream().map(each -> each.get("credential_id").text()).toList();
        assertEquals(1, rp.deleteCredentials("k-1", List.of(ids.get(0), "none")));
        assertEquals(List.of(), rp.credentials("k-1"));
    }

    @Test
    void aResultThatStaysOpenIsAnError(Handset handset) {
        var rp = handset.workspace().relyingParty();
        var message = rp.register("k-2", "bob");
        assertThrows(HandsetException.StillOpen.class, () -> rp.waitForResult(message, Duration.ofMillis(20)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"fail_next\":1}", "{\"fail_next\":1,\"fail_code\":42901}"})
    void pollingPassesOverARefusalForTheMoment(String trouble, Lease lease, Phone phone) {
        var rp = lease.workspace().relyingParty();
        var message = rp.register("k-9", "bob");
        phone.scan(message.url());
        phone.approve();
        var conditions = Map.of("rp", Json.parse(trouble), "scope", Map.of("user_id", "k-9"), "lease", lease.id());
        lease.workspace().control().conditionsPut(conditions);
        assertEquals("success", rp.waitForResult(message, Duration.ofSeconds(60)).get("status").text());
    }

    @Test
    void pollingPassesOverAnAnswerThatIsLost(Lease lease) {
        var rp = lease.workspace().relyingParty();
        var message = rp.register("k-11", "bob");
        lease.workspace().control().conditionsPut(Map.of("rp", Map.of("lose_next", 1), "scope", Map.of("user_id", "k-11"), "lease", lease.id()));
        assertThrows(HandsetException.StillOpen.class, () -> rp.waitForResult(message, Duration.ofMillis(1100)));
    }

    @Test
    void pollingEndsAtARefusalForGoodAndWhenTheTimeIsUp(Lease lease) {
        var rp = lease.workspace().relyingParty();
        var message = rp.register("k-10", "bob");
        var control = lease.workspace().control();
        control.conditionsPut(Map.of("rp", Map.of("fail_percent", 100), "scope", Map.of("user_id", "k-10"), "lease", lease.id()));
        assertEquals(50301, refusalOf(() -> rp.waitForResult(message, Duration.ofMillis(20))).code());
        assertEquals(50301, refusalOf(() -> rp.waitForResult(message, Duration.ofSeconds(60), Duration.ZERO)).code());
        control.conditionsDelete(Map.of("user_id", "k-10"));
        var nobodys = new Message("https://app.example/x#mnobody", 0, "attestation");
        assertEquals(404, refusalOf(() -> rp.waitForResult(nobodys, Duration.ofSeconds(60))).code() / 100);
    }

    private static HandsetException.Refused refusalOf(Executable call) {
        return assertThrows(HandsetException.Refused.class, call);
    }

    @Test
    void anEventThatCanNeverBeIsAnErrorAtOnce(Handset handset) {
        for (var match : List.of(Map.of("kind", "mesage"), Map.of("kind", "message", "too", "success"),
                Map.of("kind", "message", "from", "init", "to", "success"))) {
            var refused = assertThrows(HandsetException.Refused.class,
                    () -> handset.control().eventsWait(match, Map.of("timeout_ms", 600_000)));
            assertEquals(40002, refused.code());
        }
    }

    @Test
    void aWaitCanBeInterrupted(Handset handset) {
        var rp = handset.workspace().relyingParty();
        var message = rp.register("k-3", "bob");
        Thread.currentThread().interrupt();
        assertThrows(HandsetException.class, () -> rp.waitForResult(message, Duration.ofSeconds(60)));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aRefusalHasTheCodeOfTheService(Handset handset) {
        var rp = handset.workspace().relyingParty();
        assertEquals(40403, assertThrows(HandsetException.Refused.class, () -> rp.signIn("nobody", "n", "qrcode")).code());
        var wrong = new RelyingParty(handset.baseUrl(), "nobody", "nothing");
        assertEquals(40103, assertThrows(HandsetException.Refused.class, () -> wrong.credentials("u")).code());
        var control = handset.control();
        assertEquals(40111, assertThrows(HandsetException.Refused.class, () -> Handset.connect(control.controlUrl(), "wrong")).code());
        var gone = new RelyingParty("http://127.0.0.1:9/fido", "a", "b");
        assertEquals(0, assertThrows(HandsetException.Refused.class, () -> gone.credentials("u")).code());
    }

    @Test
    void noPushAndNothingToApproveAreErrors(Phone phone) {
        assertThrows(HandsetException.NoPush.class, () -> phone.waitForPush(Duration.ofMillis(50)));
        assertThrows(HandsetException.PhoneRefused.class, phone::approve);
        assertThrows(HandsetException.PhoneRefused.class, () -> phone.scan("https://elsewhere.example/"));
    }

    @Test
    void aLeaseTakesEverythingOfItsPhonesAlongAndNothingElse(Handset handset) {
        try (var workspace = handset.openWorkspace("java-lease")) {
            var rp = workspace.relyingParty();
            workspace.phone("Stays").register("other", "bob");
            var lease = workspace.lease("A test");
            var phone = lease.phone("Goes");
            phone.register("k-4", "alice");
            Message bound = rp.register("k-4", "alice"), mine = rp.signIn("k-4", "alice", "qrcode"), others = rp.register("other", "bob");
            phone.scan(bound.url());
            assertEquals("A test", workspace.control().leasesList().get("leases").list().get(0).get("name").text());
            lease.close();
            assertEquals("timeout", rp.result(bound).get("status").text());
            assertEquals("timeout", rp.result(mine).get("status").text());
            assertEquals("init", rp.result(others).get("status").text());
            assertEquals(List.of(), rp.credentials("k-4"));
            assertEquals(1, rp.credentials("other").size());
            assertThrows(HandsetException.Refused.class, phone::state);
            assertEquals(1, workspace.control().phonesList().get("phones").list().size());
            lease.close();
        }
    }

    @Test
    void aLeaseDisarmsWhatWasArmedWithItAlone(Handset handset) {
        try (var workspace = handset.openWorkspace("java-disarms"); var mine = workspace.lease("mine"); var others = workspace.lease("others")) {
            var kept = others.service().armFor("u-2", "body-empty");
            mine.service().armFor("u-1", "body-empty").close();
            mine.service().armFor("u-1", "body-empty");
            mine.service().disarm();
            assertEquals(List.of(kept.id()), workspace.service().armed().stream().map(each -> each.get("id").text()).toList());
            workspace.service().disarm();
            assertEquals(0, workspace.service().armed().size());
        }
    }

    private static List<String> scopesOf(Workspace workspace) {
        var now = workspace.control().conditionsGet();
        return now.has("scoped") ? now.get("scoped").list().stream().map(each -> each.get("scope").toString()).toList() : List.of();
    }

    @Test
    void aLeaseClearsConditionsThatWereSetWithItAlone(Handset handset) {
        var bad = Map.of("rp", Map.of("fail_percent", 100));
        try (var workspace = handset.openWorkspace("java-clears"); var others = workspace.lease("others")) {
            var theirs = List.of("{\"user_id\":\"u-2\"}", "{\"user_id\":\"u-1\"}");
            try (var mine = workspace.lease("mine")) {
                others.conditions().setFor("u-2", bad);
                mine.conditions().setFor("u-1", bad);
                mine.conditions().set(bad, Map.of("phone", mine.phone("Phone").id()));
                mine.conditions().set(bad);
                assertEquals(3, scopesOf(workspace).size());
                mine.conditions().clear(Map.of("user_id", "u-1"));
                assertEquals(2, scopesOf(workspace).size());
                others.conditions().setFor("u-1", bad);
                mine.conditions().clear();
                assertEquals(theirs, scopesOf(workspace));
                assertEquals(0, workspace.control().conditionsGet().get("rp").get("fail_percent").number());
                mine.conditions().setFor("u-3", bad);
            }
            var left = scopesOf(workspace);
            assertTrue(left.contains(theirs.get(0)) && !left.contains("{\"user_id\":\"u-3\"}"), left.toString());
            workspace.conditions().clear();
            assertEquals(List.of(), scopesOf(workspace));
        }
    }

    @Test
    void whatAPhoneRegisteredOutlivesIt(Handset handset) {
        try (var workspace = handset.openWorkspace("java-outlives")) {
            var phone = workspace.phone("Short life");
            phone.register("k-7", "bob");
            phone.remove();
            assertEquals(1, workspace.relyingParty().credentials("k-7").size());
        }
    }

    /** Run as a process of its own by the test below. */
    static final class Killed {
        public static void main(String[] args) {
            var workspace = Handset.connect(args[0], args[1]).workspace("java-killed");
            new Lease(workspace, "Killed", Map.of("ttl_ms", 0)).phone("Goes").register("k-8", "alice");
            Runtime.getRuntime().halt(9);
        }
    }

    @Test
    void whatAKilledProcessMadeGoes(Handset handset) throws Exception {
        try (var workspace = handset.openWorkspace("java-killed")) {
            var control = workspace.control();
            var after = control.eventsList(Map.of("latest", true, "limit", 1)).get("last_seq").number();
            var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            var killed = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Killed.class.getName(),
                    handset.control().controlUrl(), handset.control().token()).inheritIO().start();
            assertEquals(9, killed.waitFor());
            var match = Map.of("kind", "setting", "subject", "lease", "change", "expired");
            var removed = control.eventsWait(match, Map.of("after", after)).get("detail");
            assertEquals(1, removed.get("credentials").number());
            assertEquals(List.of(), control.phonesList().get("phones").list());
        }
    }

    @Test
    void aNameOfAnyTextIsCutToWhatTheBenchTakes(Lease lease) {
        var key = "\ud83d\udd11";
        var phone = lease.phone("\ud800\n\u2028" + key.repeat(80));
        assertEquals(key.repeat(64), phone.state().get("name").text());
        var report = phone.report("x" + key.repeat(200), "\u001b[31m\ud800" + key.repeat(900));
        assertTrue(report.contains("\ufffd" + key.repeat(499) + "</pre>"));
        assertEquals("A test", lease.phone("\n").state().get("name").text());
    }

    @Test
    void aTokenComesFromAFileToo(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("token"), "secret\n");
        assertEquals("secret", Handset.token(Map.of("HANDSET_TOKEN_FILE", file.toString(), "HANDSET_TOKEN", "other")));
        assertThrows(HandsetException.class, () -> Handset.token(Map.of("HANDSET_TOKEN_FILE", folder.toString())));
        assertThrows(HandsetException.class, () -> Handset.token(Map.of("HANDSET_TOKEN", "")));
        assertEquals("other", Handset.token(Map.of("HANDSET_TOKEN_FILE", "", "HANDSET_TOKEN", "other")));
    }

    /** What tests started, in the words of the variables. */
    private static List<String> command() {
        return List.of(System.getenv("HANDSET_COMMAND").split(" "));
    }

    private static void signsIn(Workspace workspace, RelyingParty rp) {
        try (var lease = workspace.lease("https")) {
            var phone = lease.phone("https");
            phone.register("t-1", "alice");
            var message = rp.signIn("t-1", "alice", "push");
            phone.waitForPush(Duration.ofSeconds(60));
            phone.approve();
            assertEquals("t-1", rp.waitForResult(message, Duration.ofSeconds(60)).get("user_id").text());
        }
    }

    @Test
    void httpsIsSpokenWithACaThatIsGivenAndElseRefused(@TempDir Path folder) throws Exception {
        var file = folder.resolve("ca.pem");
        try (var bench = Handset.start(command(), Duration.ofSeconds(60), "--tls", "--tls-ca-out", file.toString())) {
            assertTrue(bench.baseUrl().startsWith("https://"));
            signsIn(bench.workspace(), bench.workspace().relyingParty());
            try (var other = bench.openWorkspace("other")) {
                signsIn(other, other.relyingParty());
            }
            var ca = Handset.inFile("HANDSET_CA", Map.of("HANDSET_CA", file.toString()));
            var control = bench.control();
            assertEquals(1, Handset.connect(control.controlUrl(), control.token(), ca).control().benchInfo().get("control_version").number());
            assertEquals(0, assertThrows(HandsetException.Refused.class, () -> Handset.connect(control.controlUrl(), control.token())).code());
            var key = Workspace.firstKey(control);
            var id = key.id();
            var secret = key.secret();
            assertEquals(List.of(), new RelyingParty(bench.baseUrl(), id, secret, ca).credentials("t-2"));
            assertEquals(0, assertThrows(HandsetException.Refused.class, () -> new RelyingParty(bench.baseUrl(), id, secret).credentials("t-2")).code());
        }
    }

    @Test
    void aCaThatIsNoCertificateIsNamed() {
        assertThrows(HandsetException.class, () -> Handset.connect("https://127.0.0.1:9/control/v1", "t", "no certificate"));
        assertThrows(HandsetException.class, () -> Handset.connect("https://127.0.0.1:9/control/v1", "t", ""));
    }

    @Test
    void workspacesAreApart(Handset handset) {
        try (var other = handset.openWorkspace("java-other")) {
            other.phone("There").register("k-5", "bob");
            assertEquals(1, other.relyingParty().credentials("k-5").size());
            assertEquals(List.of(), handset.workspace().relyingParty().credentials("k-5"));
        }
    }

    @Test
    void springGetsItsProperties() {
        var properties = new HashMap<String, Object>();
        HandsetExtension.properties((name, value) -> properties.put(name, value.get()));
        var rp = new RelyingParty((String) properties.get("handset.base-url"),
                (String) properties.get("handset.access-key-id"), (String) properties.get("handset.secret-key"));
        assertEquals(List.of(), rp.credentials("nobody"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "", "null", "[]", "{\"data\":{},\"error\":\"\"}", "{\"code\":0,\"error\":\"\"}",
        "{\"code\":\"0\",\"error\":\"\",\"data\":{}}", "{\"code\":0,\"error\":\"\",\"data\":{\"name\":\"x\"}}", "{\"code\":0,\"error\":\"\",\"data\":null}"})
    void whatIsNoBenchIsToldApartFromOne(String lie) throws Exception {
        insteadOfABench(lie.getBytes(UTF_8), lie.length(), origin -> {
            var refused = assertThrows(HandsetException.Refused.class, () -> Handset.connect(origin + "/control/v1", "any"));
            assertTrue(refused.code() == 0 && refused.getMessage().contains(origin), refused.getMessage());
            var rp = new RelyingParty(origin + "/fido", "a", "b");
            assertEquals(0, assertThrows(HandsetException.Refused.class, () -> rp.credentials("u")).code());
        });
    }

    @Test
    void anAnswerThatBreaksOffIsNone() throws Exception {
        insteadOfABench("{\"code\":".getBytes(UTF_8), 1000, origin -> {
            var refused = assertThrows(HandsetException.Refused.class, () -> Handset.connect(origin + "/control/v1", "any"));
            assertTrue(refused.code() == 0 && refused.getMessage().contains(origin), refused.getMessage());
        });
    }

    @Test
    void anAnswerThatGoesOnAndOnIsGivenUp() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var dripping = new Thread(() -> {
                try (var line = server.accept()) {
                    line.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n".getBytes());
                    for (var i = 0; i < 1000; i++) {
                        line.getOutputStream().write(' ');
                        Thread.sleep(10);
                    }
                } catch (IOException | InterruptedException left) {
                    // The client leaves in the middle.
                }
            });
            dripping.start();
            var url = "http://127.0.0.1:" + server.getLocalPort() + "/";
            var refused = assertThrows(HandsetException.Refused.class, () -> Http.USUAL.call("GET", url, Map.of(), null, Duration.ofMillis(2000)));
            assertTrue(refused.getMessage().contains("not whole within 2000 ms"), refused.getMessage());
            dripping.interrupt();
        }
    }

    @Test
    void aBenchThatEndsInTheMiddleOfATestIsNamed() {
        var bench = Handset.start(List.of(System.getenv("HANDSET_COMMAND").split(" ")), Duration.ofSeconds(60));
        var lease = bench.workspace().lease("A test");
        var phone = lease.phone("Alice");
        var rp = bench.workspace().relyingParty();
        bench.close();
        List<Executable> calls = List.of(phone::state, () -> phone.waitForPush(Duration.ofSeconds(1)), lease::close, () -> rp.credentials("u"));
        for (var call : calls) {
            var refused = assertThrows(HandsetException.Refused.class, call);
            assertTrue(refused.code() == 0 && refused.getMessage().contains("localhost"), refused.getMessage());
        }
    }

    /** Something else that answers, each time the same. */
    private static void insteadOfABench(byte[] body, long length, Consumer<String> use) throws Exception {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, length == 0 ? -1 : length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            use.accept("http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anotherVersionOfTheContractIsNamedWithOurs() throws Exception {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            var body = "{\"code\":0,\"error\":\"\",\"data\":{\"control_version\":2,\"version\":\"9.9.9\"}}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        var url = "http://127.0.0.1:" + server.getAddress().getPort();
        var mismatch = assertThrows(HandsetException.VersionMismatch.class, () -> Handset.connect(url, "any"));
        assertEquals("version_mismatch", mismatch.code());
        var problem = mismatch.getMessage();
        assertTrue(problem.contains("version 1 ") && problem.contains("9.9.9") && problem.contains("version 2"), problem);
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost:7420", "/control/v1", "", "ftp://localhost/control/v1", "http://", "http://local host/"})
    void anAddressThatIsNoneIsNamed(String address) {
        var problem = assertThrows(HandsetException.class, () -> Handset.connect(address, "any")).getMessage();
        assertTrue(problem.contains("http://localhost:7420/control/v1; got \"" + address + "\""), problem);
    }

    @Test
    void aStartTakesTheOptionsOfServe(@TempDir Path folder) throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var bench = Handset.start(command(), Duration.ofSeconds(60), "--data", folder.resolve("data").toString(), "--port=" + port)) {
            assertTrue(bench.baseUrl().endsWith(":" + port + "/fido"), bench.baseUrl());
            assertTrue(Files.exists(folder.resolve("data")));
        }
        try (var bench = Handset.start(command(), Duration.ofSeconds(60), "--memory", "--port", String.valueOf(port))) {
            assertTrue(bench.baseUrl().endsWith(":" + port + "/fido"), bench.baseUrl());
        }
    }

    /** Run as a process of its own by the test below, with a program in the place of Docker, which checks how it is called. */
    static final class WithTheImage {
        public static void main(String[] args) {
            try (var onAPort = Handset.startImage("handset:stand-in", Duration.ofSeconds(60), "--port", args[0])) {
                System.out.println("first " + onAPort.baseUrl());
            }
            var other = assertThrows(HandsetException.NotStarted.class, () -> Handset.startImage("handset:other", Duration.ofSeconds(60)));
            System.out.println("refused " + other.getMessage());
            var shared = HandsetExtension.shared();
            signsIn(shared.workspace(), shared.workspace().relyingParty());
            System.out.println("shared " + shared.baseUrl());
            Runtime.getRuntime().halt(9);
        }
    }

    @Test
    void anImageIsABenchAsLongAsTheProcessThatStartedIt() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), WithTheImage.class.getName(), String.valueOf(port));
        var standIn = Path.of(System.getProperty("shop")).resolveSibling("../tests/stand-in").normalize();
        var environment = builder.environment();
        environment.put("PATH", standIn + File.pathSeparator + environment.get("PATH"));
        environment.put("STAND_IN_PROGRAM", System.getenv("HANDSET_COMMAND"));
        environment.put("HANDSET_IMAGE", "handset:stand-in");
        environment.remove("HANDSET_COMMAND");
        environment.put("HANDSET_CONTROL_URL", "");
        var child = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var said = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertEquals(9, child.waitFor(), said);
        assertTrue(said.contains("first http://localhost:" + port + "/fido"), said);
        assertTrue(said.contains("refused docker run --rm") && said.contains("no such image: handset:other"), said);
        var shared = new RelyingParty(said.substring(said.indexOf("shared ") + "shared ".length()).strip(), "a", "b");
        var code = 1;
        for (int i = 0; i < 100 && code != 0; i++) {
            code = refusalOf(() -> shared.credentials("u")).code();
            Thread.sleep(100);
        }
        assertEquals(0, code);
    }

    @Test
    void whatCannotBeStartedSaysWhy() {
        var missing = assertThrows(HandsetException.NotStarted.class, () -> Handset.start(List.of("no-such-program"), Duration.ofSeconds(60)));
        assertTrue(missing.getMessage().contains("no-such-program"));
        var silent = List.of("sh", "-c", "echo went wrong >&2; exec sleep 60");
        var late = assertThrows(HandsetException.NotStarted.class, () -> Handset.start(silent, Duration.ofSeconds(3)));
        assertTrue(late.getMessage().contains("went wrong"), late.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "{\"a\" 1}", "{\"a\":1,}", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "1 2", "--1", "\"\n\""})
    void whatIsNoJsonIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
    }

    @Test
    void jsonIsReadAndWrittenAlike() {
        var text = "{\"a\":[1,-2.5,true,false,null,\"\\\"\\\\ é \\u0001\"],\"b\":{}}";
        assertEquals(text, Json.parse(" " + text + "\n").toString());
        assertEquals(Map.of().toString(), Json.parse("{ }").toString());
        assertThrows(IllegalArgumentException.class, () -> Json.parse("[".repeat(100_000)));
    }
}
