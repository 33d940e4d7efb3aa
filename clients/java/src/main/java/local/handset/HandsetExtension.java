package local.handset;

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
 * JUnit 5: a test method or a constructor may ask for the {@link Handset} of all tests, and a test method for a {@link Phone} of
 * its own, which goes when the test ends. What happened during a test that fails is printed.
 */
public final class HandsetExtension implements ParameterResolver, AfterTestExecutionCallback {
    private static final Namespace OURS = Namespace.create(HandsetExtension.class);
    private static final AtomicReference<Handset> SHARED = new AtomicReference<>();

    /**
     * For Spring's {@code @DynamicPropertySource}: {@code HandsetExtension.properties(registry::add)} sets
     * {@code handset.base-url}, {@code handset.access-key-id} and {@code handset.secret-key}, the key being one of this run's own.
     */
    public static void properties(BiConsumer<String, Supplier<Object>> add) {
        var control = shared().control();
        var rp = control.rpsList().get("rps").list().get(0).get("id").text();
        var made = control.keysCreate(rp, Map.of());
        add.accept("handset.base-url", () -> shared().baseUrl());
        add.accept("handset.access-key-id", () -> made.get("key").get("id").text());
        add.accept("handset.secret-key", () -> made.get("secret").text());
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
        return type == Handset.class || (type == Phone.class && context.getTestMethod().isPresent());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (parameter.getParameter().getType() == Handset.class) return shared();
        var key = "phone " + parameter.getIndex();
        var made = new Made(shared().workspace().phone(context.getDisplayName()));
        context.getStore(OURS).put(key, made);
        return made.phone();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isEmpty()) return;
        // The first phone saw everything that its workspace saw.
        for (int i = 0; i < context.getRequiredTestMethod().getParameterCount(); i++) {
            var made = context.getStore(OURS).get("phone " + i, Made.class);
            if (made == null) continue;
            System.out.println("handset: what happened during " + context.getDisplayName());
            made.phone().events().forEach(event -> System.out.println(line(event)));
            return;
        }
    }

    private static String line(Json event) {
        var kind = event.get("kind").text();
        var what = switch (kind) {
            case "exchange" -> "%s %s %s → %s".formatted(event.get("interface").text(""), event.get("request").get("method").text(""),
                    event.get("request").get("target").text(""), event.get("response").get("status"));
            case "message" -> "%s → %s %s".formatted(event.get("msg_id").text(""), event.get("to").text(""), event.get("error").text(""));
            case "phone" -> event.get("change").text("") + " " + event.get("word").text("");
            default -> "";
        };
        return "%5d %-10s %s".formatted(event.get("seq").number(), kind, what).stripTrailing();
    }

    /** JUnit closes what a store holds when the test has ended. */
    private record Made(Phone phone) implements CloseableResource {
        @Override
        public void close() {
            phone.close();
        }
    }
}
