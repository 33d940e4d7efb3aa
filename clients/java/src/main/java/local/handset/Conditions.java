package local.handset;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The network conditions of a workspace: latency, refusals, lost answers. Those of a lease that have a scope go with it. */
public final class Conditions {
    private final Control control;
    private final String lease;
    private final Set<Map<String, ?>> own = ConcurrentHashMap.newKeySet();

    /** Those of a lease, or of the workspace where it is null. */
    Conditions(Control control, String lease) {
        this.control = control;
        this.lease = lease;
    }

    /** Replaces those for calls about this user alone: {@code rp}, {@code app}. */
    public Json setFor(String userId, Map<String, ?> conditions) {
        return set(conditions, Map.of("user_id", userId));
    }

    /** Replaces those for everybody: {@code rp}, {@code app}; what is not named is normal. */
    public Json set(Map<String, ?> conditions) {
        return set(conditions, Map.of());
    }

    /** Replaces those of a scope: {@code user_id}, {@code phone} or {@code msg_id}. */
    public Json set(Map<String, ?> conditions, Map<String, ?> scope) {
        var all = new HashMap<String, Object>(conditions);
        if (!scope.isEmpty()) {
            all.put("scope", scope);
            all.put("lease", lease);
        }
        var now = control.conditionsPut(all);
        own.add(Map.copyOf(scope));
        return now;
    }

    /** Sets all back to normal; on a lease, all that were set through it. */
    public void clear() {
        if (lease == null) control.conditionsDelete(Map.of());
        else for (var scope : own) {
            // Deleting without a scope clears those of every scope, other leases' among them.
            if (scope.isEmpty()) control.conditionsPut(Map.of());
            else control.conditionsDelete(scope);
            own.remove(scope);
        }
    }

    /** Sets those of a scope back to normal. */
    public void clear(Map<String, ?> scope) {
        if (scope.isEmpty()) {
            clear();
            return;
        }
        control.conditionsDelete(scope);
        own.remove(scope);
    }
}
