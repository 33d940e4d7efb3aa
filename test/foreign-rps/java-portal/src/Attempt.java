package portal;

import java.net.URI;
import java.util.Set;

/** One registration or sign-in of one browser. An attempt that has ended stays as it is. */
final class Attempt {
    enum Kind {
        REGISTRATION("attestation", 'r', "Registration"), SIGN_IN("assertion", 'a', "Sign-in");

        final String ceremony;
        final char letter;
        final String label;

        Kind(String ceremony, char letter, String label) {
            this.ceremony = ceremony;
            this.letter = letter;
            this.label = label;
        }
    }

    enum State { WAITING, SCANNED, SUCCEEDED, FAILED }

    /** What the browser is told. */
    record View(State state, String text) {}

    final String id;
    final Kind kind;
    final String email;
    final String userId;
    /** The mark of the browser that began: nobody else sees the attempt or is signed in by it. */
    final String owner;
    /** Whether this browser was signed in to the account when it began. */
    final boolean signedIn;
    final boolean push;
    final URI url;
    final String msgId;
    final long expiresAt;
    /** The credentials that the service listed before a registration. */
    final Set<String> before;
    /** Polls in a row without a usable result. Only one poll is under way at a time. */
    volatile int misses;
    private View view;
    private long endedAt;
    private boolean taken;

    Attempt(String id, Kind kind, String email, String userId, String owner, boolean signedIn, boolean push, URI url, long expiresAt, Set<String> before) {
        this.id = id;
        this.kind = kind;
        this.email = email;
        this.userId = userId;
        this.owner = owner;
        this.signedIn = signedIn;
        this.push = push;
        this.url = url;
        this.msgId = url.getRawFragment().substring(1);
        this.expiresAt = expiresAt;
        this.before = before;
        this.view = new View(State.WAITING, push ? "Please answer on your phone." : "Please scan the code with the phone app.");
    }

    synchronized View view() {
        return view;
    }

    synchronized boolean ended() {
        return endedAt != 0;
    }

    synchronized boolean endedBefore(long moment) {
        return endedAt != 0 && endedAt < moment;
    }

    synchronized void scanned(String by) {
        if (!ended()) view = new View(State.SCANNED, by.isEmpty() ? "Scanned. Please answer on your phone." : "Scanned by " + by + ". Please answer on your phone.");
    }

    synchronized void fail(String why) {
        end(new View(State.FAILED, kind.label + " failed: " + why));
    }

    synchronized void succeed() {
        end(new View(State.SUCCEEDED, kind == Kind.REGISTRATION ? "The passkey is registered and you are signed in." : "The sign-in has succeeded."));
    }

    private void end(View last) {
        if (ended()) return;
        view = last;
        endedAt = System.currentTimeMillis();
    }

    /** True for the first caller after a success: one attempt signs in once. */
    synchronized boolean take() {
        if (view.state() != State.SUCCEEDED || taken) return false;
        taken = true;
        return true;
    }
}
