package local.handset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The service of a workspace as something that lies and fails on command: docs/service-faults.md. Those of a lease go with it. */
public final class ServiceFaults {
    private final Control control;
    private final Map<String, ?> own;

    ServiceFaults(Control control, Map<String, ?> own) {
        this.control = control;
        this.own = own;
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
        var all = new HashMap<String, Object>(own);
        all.putAll(more);
        return new Armed(control, control.serviceArm(fault, all).get("id").text());
    }

    /** All that is armed in the workspace, oldest first. */
    public List<Json> armed() {
        return control.serviceFaults().get("faults").list();
    }

    /** Disarms all of the workspace. */
    public void disarm() {
        control.serviceDisarmAll();
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
