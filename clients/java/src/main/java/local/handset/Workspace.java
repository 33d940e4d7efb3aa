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
        return new Phone(control, control.phonesCreate(name.length() > 64 ? name.substring(0, 64) : name, Map.of()));
    }

    /** A client that signs as the first RP, with a key of its own. */
    public RelyingParty relyingParty() {
        var rp = control.rpsList().get("rps").list().get(0).get("id").text();
        var made = control.keysCreate(rp, Map.of());
        return new RelyingParty(baseUrl, made.get("key").get("id").text(), made.get("secret").text());
    }

    /** Removes it with all that is in it; {@code main} stays. */
    @Override
    public void close() {
        if (!name.equals("main")) bench.workspacesClose(name);
    }
}
