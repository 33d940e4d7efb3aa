package local.handset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

/**
 * JUnit 5: a test method or a constructor may ask for the {@link Handset} of all tests, and a test method for a {@link Phone} or a {@link Lease} of
 * its own, which goes when the test ends. A test that fails, also before or after its method, leaves an HTML file and a trace of each of its phones in
 * {@code handset-reports}, or where the system property {@code handset.reports} says.
 */
public final class HandsetExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
    private static final Namespace OURS = Namespace.create(HandsetExtension.class);
    private static final AtomicReference<Handset> SHARED = new AtomicReference<>();

    /**
     * For Spring's {@code @DynamicPropertySource}: {@code HandsetExtension.properties(registry::add)} sets
     * {@code handset.base-url}, {@code handset.access-key-id} and {@code handset.secret-key} of the first RP.
     */
    public static void properties(BiConsumer<String, Supplier<Object>> add) {
        var control = shared().control();
        var key = Workspace.firstKey(control);
        add.accept("handset.base-url", () -> shared().baseUrl());
        add.accept("handset.access-key-id", () -> key.id());
        add.accept("handset.secret-key", () -> key.secret());
    }

    /** The bench of all tests of this process; it ends with the process. */
    public static Handset shared() {
        synchronized (SHARED) {
            if (SHARED.get() == null) {
                var handset = Handset.connectOrStart();
                SHARED.set(handset);
                Runtime.getRuntime().addShutdownHook(new Thread(handset::close));
            }
            return SHARED.get();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        return type == Handset.class || ((type == Phone.class || type == Lease.class) && context.getTestMethod().isPresent());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        var type = parameter.getParameter().getType();
        if (type == Handset.class) return shared();
        var lease = leaseOf(context);
        return type == Lease.class ? lease : lease.phone(context.getDisplayName());
    }

    private static Lease leaseOf(ExtensionContext context) {
        var name = context.getDisplayName();
        return context.getStore(OURS).getOrComputeIfAbsent(Held.class, key -> new Held(shared().workspace().lease(name)), Held.class).lease();
    }

    /** Before what stands around a test that takes something of ours, so that there is a report of it where that fails. */
    @Override
    public void beforeEach(ExtensionContext context) {
        var takes = List.of(context.getRequiredTestMethod().getParameterTypes());
        if (takes.contains(Phone.class) || takes.contains(Lease.class)) leaseOf(context);
    }

    /** Here, and not after the test method alone, since what is around it may fail as well. */
    @Override
    public void afterEach(ExtensionContext context) {
        var failure = context.getExecutionException();
        if (failure.isEmpty() || failure.get() instanceof TestAbortedException) return;
        try {
            var held = context.getStore(OURS).get(Held.class, Held.class);
            if (held != null) keepReports(context, held.lease(), failure.get().toString());
        } catch (IOException | RuntimeException reason) {
            // Such as a bench that is gone: nothing stands before the test's own failure.
            System.out.println("handset: there is no report of " + titleOf(context) + ": " + reason.getMessage());
        }
    }

    private static void keepReports(ExtensionContext context, Lease lease, String said) throws IOException {
        var folder = Path.of(System.getProperty("handset.reports", "handset-reports")).toAbsolutePath();
        Files.createDirectories(folder);
        var place = 0;
        for (var report : lease.reports(titleOf(context), said)) {
            place++;
            var name = fileNameOf(context) + (place == 1 ? "" : "-" + place);
            var file = Files.writeString(folder.resolve(name + ".html"), report.html());
            Files.writeString(folder.resolve(name + ".agent-report.md"), report.markdown());
            var trace = Files.write(folder.resolve(name + ".handset"), report.trace());
            for (var line : report.lines()) System.out.println("handset: " + line);
            System.out.println("handset: what happened during this test: " + file + ", as a trace: " + trace);
        }
    }

    private static String titleOf(ExtensionContext context) {
        var method = context.getRequiredTestMethod().getName();
        var shown = context.getDisplayName();
        return context.getRequiredTestClass().getName() + "." + (shown.startsWith(method) ? shown : method + " " + shown);
    }

    /** Of one test alone: a method may run many times, and have others of its name. */
    private static String fileNameOf(ExtensionContext context) {
        var readable = context.getRequiredTestClass().getName() + "." + context.getRequiredTestMethod().getName();
        return Names.file(readable, context.getUniqueId());
    }

    /** JUnit closes what a store holds when the test has ended. */
    private record Held(Lease lease) implements CloseableResource {
        @Override
        public void close() {
            lease.close();
        }
    }
}
