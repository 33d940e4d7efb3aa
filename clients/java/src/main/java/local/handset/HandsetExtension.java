package local.handset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit 5: a test method or a constructor may ask for the {@link Handset} of all tests, and a test method for a {@link Phone} or a {@link Lease} of
 * its own, which goes when the test ends. A test that fails leaves an HTML file and a trace in {@code handset-reports}, or where the system
 * property {@code handset.reports} says.
 */
public final class HandsetExtension implements ParameterResolver, AfterTestExecutionCallback {
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
        add.accept("handset.access-key-id", () -> key.get("id").text());
        add.accept("handset.secret-key", () -> key.get("secret").text());
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
        var store = context.getStore(OURS);
        var name = context.getDisplayName();
        var held = store.getOrComputeIfAbsent("lease", key -> new Held(shared().workspace().lease(name)), Held.class);
        if (type == Lease.class) return held.lease();
        var phone = held.lease().phone(name);
        store.put("phone " + parameter.getIndex(), phone);
        return phone;
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws IOException {
        var failure = context.getExecutionException();
        if (failure.isEmpty()) return;
        for (int i = 0; i < context.getRequiredTestMethod().getParameterCount(); i++) {
            var phone = context.getStore(OURS).get("phone " + i, Phone.class);
            if (phone == null) continue;
            var name = context.getRequiredTestClass().getName() + "." + context.getRequiredTestMethod().getName();
            var folder = Path.of(System.getProperty("handset.reports", "handset-reports")).toAbsolutePath();
            Files.createDirectories(folder);
            var file = Files.writeString(folder.resolve(name + "-" + i + ".html"), phone.report(name, failure.get().toString()));
            var trace = Files.write(folder.resolve(name + "-" + i + ".handset"), phone.trace(name));
            System.out.println("handset: what happened during this test: " + file + ", as a trace: " + trace);
        }
    }

    /** JUnit closes what a store holds when the test has ended. */
    private record Held(Lease lease) implements CloseableResource {
        @Override
        public void close() {
            lease.close();
        }
    }
}
