package local.handset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The service of a workspace as something that lies and fails on command: docs/service-faults.md. Those of a lease go with it. */
public final class ServiceFaults {
    private final Control control;
    private final String lease;
    private final Queue<Armed> own = new ConcurrentLinkedQueue<>();

    /** Those of a lease, or of the workspace where it is null. */
    ServiceFaults(Control control, String lease) {
        this.control = control;
        this.lease = lease;
    }

    /** Once, for calls about this user alone. */
    public Armed armFor(String userId, String fault) {
        return arm(fault, Map.of("scope", Map.of("user_id", userId)));
    }

    /**
     * Once, towards everybody, unless {@code more} says otherwise: {@code times}, {@code probability}, {@code parameters},
     * {@code only} and {@code scope}, as {@link Calls#serviceArm} takes them.
     */
    public Armed arm(String fault, Map<String, ?> more) {
        var all = new HashMap<String, Object>(more);
        if (lease != null) all.put("lease", lease);
        var armed = new Armed(control, control.serviceArm(fault, all).get("id").text());
        if (lease != null) own.add(armed);
        return armed;
    }

    /** All that is armed in the workspace, oldest first. */
    public List<Json> armed() {
        return control.serviceFaults().get("faults").list();
    }

    /** Disarms all that is armed in the workspace; on a lease, all that was armed through it. */
    public void disarm() {
        if (lease == null) control.serviceDisarmAll();
        else for (var armed : own) {
            armed.close();
            own.remove(armed);
        }
    }

    /** What the service will get wrong, until it is used up or closed. */
    public record Armed(Control control, String id) implements AutoCloseable {
        @Override
        public void close() {
            try {
                control.serviceDisarm(id);
            } catch (HandsetException.Refused refusal) {
                // One that is used up is disarmed already.
                if (refusal.code() / 100 != 404) throw refusal;
            }
        }
    }
}
