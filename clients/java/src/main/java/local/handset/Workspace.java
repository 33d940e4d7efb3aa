package local.handset;

import java.util.Map;

/** A bench within the bench: RPs, users, phones, a clock of their own. */
public final class Workspace implements AutoCloseable {
    private final Control bench;
    private final Control control;
    private final String name;
    private final String baseUrl;

    Workspace(Control bench, Control control, String name, String baseUrl) {
        this.bench = bench;
        this.control = control;
        this.name = name;
        this.baseUrl = baseUrl;
    }

    public Control control() {
        return control;
    }

    public String baseUrl() {
        return baseUrl;
    }

    /** A new phone. */
    public Phone phone(String name) {
        return phone(name, Map.of());
    }

    Phone phone(String name, Map<String, ?> more) {
        return new Phone(control, control.phonesCreate(Names.plain(name, Calls.PHONE_NAME_MAX), more));
    }

    /** The same workspace for a limited time: its phones go when it ends, with all that they left, or with this process. */
    public Lease lease(String name) {
        return new Lease(this, name, Map.of());
    }

    /** What the service gets wrong towards RPs here. */
    public ServiceFaults service() {
        return new ServiceFaults(control, null);
    }

    /** Latency, refusals and lost answers here. */
    public Conditions conditions() {
        return new Conditions(control, null);
    }

    /** A client that signs as the first RP, with its first active key. */
    public RelyingParty relyingParty() {
        var key = accessKey();
        return new RelyingParty(baseUrl, key.id(), key.secret(), control.http());
    }

    /** With what an RP signs. */
    public record AccessKey(String id, String secret) {}

    /** The first RP's first active key, for a server of your own; a new one where it has none. */
    public AccessKey accessKey() {
        return firstKey(control);
    }

    static AccessKey firstKey(Control control) {
        var rp = control.rpsList().get("rps").list().get(0).get("id").text();
        for (var key : control.keysList(rp).get("keys").list()) {
            if (!key.get("state").text().equals("active")) continue;
            var id = key.get("id").text();
            return new AccessKey(id, control.keysReveal(rp, id).get("secret").text());
        }
        var made = control.keysCreate(rp, Map.of());
        return new AccessKey(made.get("key").get("id").text(), made.get("secret").text());
    }

    /** Removes it with all that is in it; {@code main} stays. */
    @Override
    public void close() {
        if (!name.equals("main")) bench.workspacesClose(name);
    }
}
