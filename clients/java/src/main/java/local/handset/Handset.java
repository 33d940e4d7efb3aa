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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A bench that runs. */
public final class Handset implements AutoCloseable {
    private static final int MOST_OUTPUT = 8192;

    private final Control control;
    private final Json info;
    private final Process process;

    private Handset(Control control, Process process) {
        this.control = control;
        this.process = process;
        this.info = control.benchInfo();
        var spoken = versionOf(info, control.controlUrl());
        if (spoken != Calls.CONTROL_VERSION) {
            throw new HandsetException("This client speaks version %d of the control interface, the bench at %s (Handset %s) version %d."
                    .formatted(Calls.CONTROL_VERSION, control.controlUrl(), info.get("version").text(), spoken));
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
        return new Handset(new Control(controlUrl, token), null);
    }

    /** The bench of HANDSET_CONTROL_URL and HANDSET_TOKEN, else one that HANDSET_COMMAND (npx handset) starts. */
    public static Handset connectOrStart() {
        var controlUrl = System.getenv("HANDSET_CONTROL_URL");
        if (controlUrl == null) {
            var command = System.getenv().getOrDefault("HANDSET_COMMAND", "npx handset");
            return start(List.of(command.split(" ")), Duration.ofSeconds(30));
        }
        return connect(controlUrl, token(System.getenv()));
    }

    static String token(Map<String, String> environment) {
        var file = environment.get("HANDSET_TOKEN_FILE");
        try {
            var token = file == null ? environment.get("HANDSET_TOKEN") : Files.readString(Path.of(file)).replaceFirst("\\r?\\n$", "");
            if (token != null && !token.isEmpty()) return token;
        } catch (IOException reason) {
            throw new HandsetException("HANDSET_TOKEN_FILE cannot be read: " + reason, reason);
        }
        throw new HandsetException("HANDSET_CONTROL_URL names a bench: give its token in HANDSET_TOKEN or HANDSET_TOKEN_FILE.");
    }

    /** Starts {@code handset serve} on a free port, in memory. It ends with this process at the latest. */
    public static Handset start(List<String> command, Duration timeout, String... options) {
        var args = new ArrayList<>(command);
        args.addAll(List.of("serve", "--json", "--until-input-ends", "--memory", "--port", "0"));
        args.addAll(Arrays.asList(options));
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
            return new Handset(new Control(ready.get("control_url").text(), ready.get("token").text()), child);
        } catch (IOException reason) {
            throw new HandsetException.NotStarted(args.get(0) + " cannot be started: " + reason.getMessage(), reason);
        } catch (InterruptedException reason) {
            if (child != null) child.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new HandsetException("interrupted during the start", reason);
        }
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
        var own = new Control(state.get("control_url").text(), control.token());
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
