package local.handset;

import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A virtual phone. */
public final class Phone {
    private final Control control;
    private final String id;
    private final String name;
    private final long since;

    Phone(Control control, Json state) {
        this.control = control;
        this.id = state.get("id").text();
        this.name = state.get("name").text();
        this.since = Report.lastSeq(control);
    }

    public String id() {
        return id;
    }

    /** Everything that it shows and holds. */
    public Json state() {
        return control.phonesGet(id);
    }

    /** Holds the camera over the address in a code; what it then asks. */
    public Json scan(String url) {
        return asked(control.phonesScan(id, Map.of("url", url)));
    }

    /** Holds the camera over a picture, PNG or JPEG, which it really reads. */
    public Json scan(byte[] picture) {
        var type = picture.length > 0 && picture[0] == (byte) 0x89 ? "png" : "jpeg";
        var image = Map.of("type", type, "data", Base64.getEncoder().encodeToString(picture));
        return asked(control.phonesScan(id, Map.of("image", image)));
    }

    /** Opens the oldest push that nobody has answered, however early it came; NoPush when none comes in time. */
    public Json waitForPush(Duration timeout) {
        var until = System.nanoTime() + timeout.toNanos();
        while (true) {
            var after = Report.lastSeq(control);
            var oldest = state().get("notifications").list().stream()
                    .min(Comparator.comparingLong(push -> push.get("arrived_at").number()));
            if (oldest.isPresent()) return asked(control.phonesOpen(id, oldest.get().get("msg_id").text()));
            var left = Math.max(0, (until - System.nanoTime()) / 1_000_000);
            try {
                var match = Map.of("kind", "phone", "change", "pushed", "phone_id", id);
                control.eventsWait(match, Map.of("after", after, "timeout_ms", left));
            } catch (HandsetException.Refused refusal) {
                if (refusal.code() != Calls.WAIT_ENDED) throw refusal;
                throw new HandsetException.NoPush("no push came to " + name + " within " + timeout.toMillis() + " ms");
            }
        }
    }

    /** Puts the finger on the sensor; PhoneRefused when the service does not accept what it sends. */
    public Json approve() {
        var state = control.phonesApprove(id, Map.of());
        var screen = state.get("screen");
        if (List.of("refused", "problem").contains(screen.get("kind").text())) throw refused(screen);
        return state;
    }

    /** Says no. */
    public Json reject() {
        return control.phonesReject(id, Map.of());
    }

    /**
     * Has it get one thing wrong in its next attempt: docs/faults.md. `strikes.begun` has the attempts that have begun, and go
     * on without it.
     */
    public Json arm(String fault) {
        return control.phonesArm(id, fault, Map.of());
    }

    /** Makes it hold a passkey of a user, through the bench's simulated RP. */
    public void register(String userId, String username) {
        var rp = control.rpsList().get("rps").list().get(0).get("id").text();
        scan(control.simulatorRegister(rp, userId, username, Map.of("poll", false)).get("url").text());
        approve();
    }

    /** What has happened to it and its users since it is there, as an HTML file that needs nothing else. */
    public String report(String title) {
        return report(title, "");
    }

    /** The same, with what a test said when it failed at its head. */
    public String report(String title, String failure) {
        return Report.htmlOf(control, title, failure, since, id);
    }

    /** The same as a .handset file, which Handset's page and {@code handset show} open. */
    public byte[] trace(String title) {
        return Report.traceOf(control, title, since, id);
    }

    /** Signs it out and takes it off the bench; what it registered stays at the service. A lease removes that as well. */
    public void remove() {
        control.phonesDelete(id);
    }

    private static Json asked(Json state) {
        var screen = state.get("screen");
        if (!screen.get("kind").text().equals("request")) throw refused(screen);
        return screen.get("prompt");
    }

    private static HandsetException refused(Json screen) {
        var word = screen.get("word").text("the phone shows " + screen.get("kind").text());
        return new HandsetException.PhoneRefused(word, screen.get("detail").text(null));
    }
}
