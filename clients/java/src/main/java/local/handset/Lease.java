package local.handset;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A workspace for a limited time: its phones go when it is closed, with all that they left. When this process is killed,
 * the bench does the same a moment later.
 */
public final class Lease implements AutoCloseable {
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

    private final Workspace workspace;
    private final String id;
    private final long since;
    private final ServiceFaults service;
    private final Conditions conditions;
    private final List<Phone> phones = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    Lease(Workspace workspace, String name, Map<String, ?> more) {
        this.workspace = workspace;
        this.since = Report.lastSeq(workspace.control());
        var made = Control.with(more, "name", Names.plain(name, Calls.PHONE_NAME_MAX));
        this.id = workspace.control().leasesCreate(made).get("id").text();
        this.service = new ServiceFaults(workspace.control(), id);
        this.conditions = new Conditions(workspace.control(), id);
        var holder = new Thread(this::keepHolding, "handset lease");
        holder.setDaemon(true);
        holder.start();
    }

    public String id() {
        return id;
    }

    /** Where it is. */
    public Workspace workspace() {
        return workspace;
    }

    /** A phone that goes with it. */
    public Phone phone(String name) {
        var phone = workspace.phone(name, Map.of("lease", id));
        phones.add(phone);
        return phone;
    }

    /** What has happened since it began: of each of its phones, or of the workspace where no phone was made. */
    public List<Report> reports(String title, String failure) {
        var control = workspace.control();
        if (phones.isEmpty()) return List.of(Report.of(control, title, failure, since, null));
        return phones.stream().map(phone -> Report.of(control, title, failure, since, phone.id())).toList();
    }

    /** What the service gets wrong towards RPs, until this ends at the latest. */
    public ServiceFaults service() {
        return service;
    }

    /** Latency, refusals and lost answers; those that have a scope until this ends at the latest. */
    public Conditions conditions() {
        return conditions;
    }

    /** Removes its phones, what they registered and were asked; what others made stays. */
    @Override
    public void close() {
        ended = true;
        try {
            workspace.control().leasesDelete(id);
        } catch (HandsetException.Refused refusal) {
            if (refusal.code() / 100 != 404) throw refusal;
        }
    }

    /** The system closes the connection with this process, and keeps it while a debugger stops the test. */
    private void keepHolding() {
        while (!ended) {
            try {
                workspace.control().hold("/leases/" + id + "/hold");
            } catch (HandsetException.Refused refusal) {
                if (refusal.code() != 0) return;
            }
            try {
                Thread.sleep(BETWEEN_TRIES.toMillis());
            } catch (InterruptedException reason) {
                return;
            }
        }
    }
}
