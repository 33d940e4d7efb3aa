package local.handset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A bench that runs. */
public final class Handset implements AutoCloseable {
    private static final int MOST_OUTPUT = 8192;
    /** An image may have to be fetched first. */
    private static final Duration IMAGE_TIMEOUT = Duration.ofMinutes(5);
    private static final Pattern ADDRESS = Pattern.compile("(?i)https?://[a-z0-9.:_\\[\\]-]+(/[^\\s?#]*)?");

    private final Control control;
    private final Json info;
    private final Process process;

    private Handset(Control control, Process process) {
        this.control = control;
        this.process = process;
        this.info = control.benchInfo();
        var spoken = versionOf(info, control.controlUrl());
        if (spoken != Calls.CONTROL_VERSION) {
            throw new HandsetException.VersionMismatch(
                    "This package speaks version %d of the control interface; the bench at %s (Handset %s) speaks version %d."
                            .formatted(Calls.CONTROL_VERSION, control.controlUrl(), info.get("version").text("?"), spoken));
        }
    }

    private static long versionOf(Json info, String controlUrl) {
        try {
            return info.get("control_version").number();
        } catch (HandsetException wrong) {
            throw new HandsetException.Refused(0, "What answers at " + controlUrl + " is no bench: it names no version.", info);
        }
    }

    /** Uses a bench that runs: {@code control_url} and {@code token} as {@code handset serve --json} prints them. */
    public static Handset connect(String controlUrl, String token) {
        return connect(controlUrl, token, null);
    }

    /** One that speaks https: {@code ca} is what to trust, as PEM, and nothing else is trusted. */
    public static Handset connect(String controlUrl, String token, String ca) {
        if (!ADDRESS.matcher(controlUrl).matches()) {
            throw new HandsetException("controlUrl must be one such as http://localhost:7420/control/v1; got \"" + controlUrl + "\"");
        }
        return new Handset(new Control(controlUrl, token, Http.trusting(ca)), null);
    }

    /**
     * The bench of HANDSET_CONTROL_URL, HANDSET_TOKEN and, where it speaks https, HANDSET_CA, a file; else one of its own: the
     * image HANDSET_IMAGE, or what HANDSET_COMMAND (npx handset) starts.
     */
    public static Handset connectOrStart() {
        var controlUrl = variable("HANDSET_CONTROL_URL");
        if (!controlUrl.isEmpty()) return connect(controlUrl, token(System.getenv()), inFile("HANDSET_CA", System.getenv()));
        var image = variable("HANDSET_IMAGE");
        if (!image.isEmpty()) return startImage(image, IMAGE_TIMEOUT);
        var command = variable("HANDSET_COMMAND");
        return start(List.of((command.isEmpty() ? "npx handset" : command).split(" ")), Duration.ofSeconds(30));
    }

    /** One that is empty counts as one that is not set. */
    private static String variable(String name) {
        return System.getenv().getOrDefault(name, "");
    }

    static String token(Map<String, String> environment) {
        var kept = inFile("HANDSET_TOKEN_FILE", environment);
        var token = kept == null ? environment.get("HANDSET_TOKEN") : kept.replaceFirst("\\r?\\n$", "");
        if (token != null && !token.isEmpty()) return token;
        throw new HandsetException("HANDSET_CONTROL_URL names a bench: give its token in HANDSET_TOKEN or HANDSET_TOKEN_FILE.");
    }

    /** What is in the file that a variable names; null where it is not set. */
    static String inFile(String variable, Map<String, String> environment) {
        var file = environment.get(variable);
        try {
            return file == null || file.isEmpty() ? null : Files.readString(Path.of(file));
        } catch (IOException reason) {
            throw new HandsetException(variable + " cannot be read: " + reason, reason);
        }
    }

    /**
     * Starts {@code handset serve} on a free port, in memory unless {@code options} say otherwise. It ends with this process at the latest. The CA that the option
     * {@code --tls} has it make is trusted, or the certificate of {@code --tls-cert}.
     */
    public static Handset start(List<String> command, Duration timeout, String... options) {
        var given = new ArrayList<>(namesOf(options).contains("--port") ? List.of() : List.of("--port", "0"));
        given.addAll(List.of(options));
        return run(command, timeout, given, options);
    }

    /**
     * The same of the container image, which Docker runs on this machine. The container ends with this process at the latest and
     * is removed.
     */
    public static Handset startImage(String image, Duration timeout, String... options) {
        var made = Image.run(image, options);
        return run(made.command(), timeout, made.options(), options);
    }

    private static Handset run(List<String> program, Duration timeout, List<String> given, String... options) {
        var args = new ArrayList<>(program);
        args.addAll(List.of("serve", "--json", "--until-input-ends"));
        var names = namesOf(options);
        if (!names.contains("--data") && !names.contains("--memory")) args.add("--memory");
        args.addAll(given);
        Process child = null;
        try {
            var log = File.createTempFile("handset", ".log");
            log.deleteOnExit();
            var builder = new ProcessBuilder(args).redirectError(log);
            builder.environment().keySet().removeIf(name -> name.startsWith("HANDSET_"));
            child = builder.start();
            var ready = firstLine(child, timeout);
            if (ready == null) {
                child.destroyForcibly().waitFor();
                var output = Files.readString(log.toPath());
                var end = output.substring(Math.max(0, output.length() - MOST_OUTPUT)).strip();
                throw new HandsetException.NotStarted(String.join(" ", args) + " was not ready. " + end, null);
            }
            var http = Http.trusting(trusted(ready, options));
            return new Handset(new Control(ready.get("control_url").text(), ready.get("token").text(), http), child);
        } catch (IOException reason) {
            if (child != null) child.destroyForcibly();
            throw new HandsetException.NotStarted(args.get(0) + " cannot be started: " + reason.getMessage(), reason);
        } catch (HandsetException reason) {
            child.destroyForcibly();
            throw reason;
        } catch (InterruptedException reason) {
            if (child != null) child.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new HandsetException("interrupted during the start", reason);
        }
    }

    private static Set<String> namesOf(String... options) {
        return Arrays.stream(options).map(option -> option.split("=", 2)[0]).collect(Collectors.toSet());
    }

    /** Who starts a bench with a certificate trusts that. */
    private static String trusted(Json ready, String... options) throws IOException {
        for (int i = 0; i < options.length; i++) {
            if (options[i].startsWith("--tls-cert=")) return Files.readString(Path.of(options[i].substring("--tls-cert=".length())));
            if (options[i].equals("--tls-cert")) return Files.readString(Path.of(options[i + 1]));
        }
        return ready.get("ca").text(null);
    }

    private static Json firstLine(Process child, Duration timeout) throws InterruptedException {
        var line = CompletableFuture.supplyAsync(() -> {
            try {
                return new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8)).readLine();
            } catch (IOException reason) {
                return null;
            }
        });
        try {
            var text = line.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return text == null ? null : Json.parse(text);
        } catch (ExecutionException | TimeoutException reason) {
            return null;
        }
    }

    public Control control() {
        return control;
    }

    public String baseUrl() {
        return info.get("base_url").text();
    }

    /** The workspace {@code main}. */
    public Workspace workspace() {
        return new Workspace(control, control, "main", baseUrl());
    }

    /** Another workspace, which is opened. */
    public Workspace openWorkspace(String name) {
        return workspaceOf(control.workspacesCreate(Map.of("id", name)));
    }

    /** Another workspace that is there already. */
    public Workspace workspace(String name) {
        return name.equals("main") ? workspace() : workspaceOf(control.workspacesGet(name));
    }

    private Workspace workspaceOf(Json state) {
        var own = control.at(state.get("control_url").text());
        return new Workspace(control, own, state.get("id").text(), state.get("base_url").text());
    }

    /** Ends what was started; a bench that was connected to stays. */
    @Override
    public void close() {
        if (process == null) return;
        try {
            process.getOutputStream().close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (IOException reason) {
            process.destroyForcibly();
        } catch (InterruptedException reason) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
