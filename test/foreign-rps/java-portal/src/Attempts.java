package portal;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import portal.Attempt.Kind;
import portal.ServiceClient.Reply;

/** Begins attempts, polls their results, and keeps the record of the accounts. */
final class Attempts {
    /** A begin that is refused, with the word to the user. */
    static final class Refused extends Exception {
        Refused(String word) {
            super(word, null, false, false);
        }
    }

    private static final long PAUSE = 150;
    private static final int MOST_MISSES = 8;
    private static final long HOUR = 3_600_000;
    private static final String NO_ANSWER = "the FIDO service gives no usable answer. Please try again.";
    private static final String TOO_LATE = "the time is over. Please try again.";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ServiceClient service;
    private final ScheduledExecutorService timer;
    private final Map<String, Attempt> attempts = new ConcurrentHashMap<>();
    /** Messages of the last hours: a service that gives one out twice is not believed. */
    private final Map<String, Long> messages = new ConcurrentHashMap<>();
    /** The accounts, each with the credentials that it has registered. Its own record decides, not the service's list. */
    private final Map<String, Set<String>> accounts = new ConcurrentHashMap<>();

    Attempts(ServiceClient service, ScheduledExecutorService timer) {
        this.service = service;
        this.timer = timer;
        timer.scheduleWithFixedDelay(this::forget, 1, 1, TimeUnit.MINUTES);
    }

    static String random() {
        byte[] octets = new byte[16];
        RANDOM.nextBytes(octets);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    }

    /** The name of an account at the service. */
    private static String userId(String email) {
        return email;
    }

    Optional<Attempt> find(String id, String owner) {
        return Optional.ofNullable(attempts.get(id)).filter(attempt -> attempt.owner.equals(owner));
    }

    Attempt register(String email, String owner, String signedInAs) throws Refused {
        boolean signedIn = email.equals(signedInAs);
        if (accounts.containsKey(email) && !signedIn) throw new Refused("Registration failed: this account has a passkey. Please sign in first.");
        Reply list = service.credentials(userId(email), ServiceClient.LIMIT).join();
        Set<String> before = listed(list, null);
        if (before == null) throw new Refused("Registration failed: " + NO_ANSWER);
        // A registration whose result was lost leaves a credential of nobody: it would keep the same phone from trying again.
        if (!before.isEmpty() && !accounts.containsKey(email) && attempts.values().stream().noneMatch(
                other -> other.kind == Kind.REGISTRATION && other.email.equals(email) && !other.ended())) {
            service.delete(userId(email), listed(list, userId(email))).join();
        }
        return begin(Kind.REGISTRATION, null, email, owner, signedIn, before);
    }

    Attempt signIn(String email, boolean push, String owner, String signedInAs) throws Refused {
        if (!accounts.containsKey(email)) throw new Refused("Sign-in failed: there is no account of this address.");
        return begin(Kind.SIGN_IN, push ? "push" : "qrcode", email, owner, email.equals(signedInAs), Set.of());
    }

    private Attempt begin(Kind kind, String method, String email, String owner, boolean signedIn, Set<String> before) throws Refused {
        Reply reply = service.begin(kind.ceremony, userId(email), method);
        if (!reply.usable()) throw new Refused(kind.label + " failed: " + switch (reply.code()) {
            case 40403 -> "the FIDO service has no passkey of this account.";
            case 40901 -> "the account has as many passkeys as it may.";
            case 40907, 42901 -> "the FIDO service is busy. Please try again later.";
            default -> NO_ANSWER;
        });
        Optional<URI> url = service.message(reply.text("url"), kind.letter);
        JsonNode expiry = reply.data().path("expires_at");
        double expiresAt = expiry.isNumber() ? expiry.doubleValue() * 1000 : 0;
        long now = System.currentTimeMillis();
        if (url.isEmpty() || !(expiresAt > now && expiresAt <= now + HOUR)) throw new Refused(kind.label + " failed: " + NO_ANSWER);
        var attempt = new Attempt(random(), kind, email, userId(email), owner, signedIn, "push".equals(method), url.get(), (long) expiresAt, before);
        if (messages.putIfAbsent(attempt.msgId, attempt.expiresAt) != null) throw new Refused(kind.label + " failed: " + NO_ANSWER);
        attempts.put(attempt.id, attempt);
        later(attempt, this::poll);
        return attempt;
    }

    private void later(Attempt attempt, java.util.function.Consumer<Attempt> step) {
        timer.schedule(() -> {
            if (attempt.ended()) return;
            if (left(attempt) <= 0) attempt.fail(TOO_LATE);
            else step.accept(attempt);
        }, Math.min(PAUSE, Math.max(1, left(attempt))), TimeUnit.MILLISECONDS);
    }

    private static long left(Attempt attempt) {
        return attempt.expiresAt - System.currentTimeMillis();
    }

    private void poll(Attempt attempt) {
        service.result(attempt.kind.ceremony, attempt.msgId, Math.min(ServiceClient.LIMIT, left(attempt)))
                .thenAccept(reply -> judge(attempt, reply))
                .exceptionally(problem -> broken(attempt, problem));
    }

    private void judge(Attempt attempt, Reply reply) {
        if (left(attempt) <= 0) {
            attempt.fail(TOO_LATE);
            return;
        }
        if (reply.code() == 41001 || reply.code() == 40402) {
            attempt.fail("the FIDO service has no result any more. Please try again.");
            return;
        }
        switch (reply.usable() ? reply.text("status") : "") {
            case "init" -> {
                attempt.misses = 0;
                later(attempt, this::poll);
            }
            case "bind" -> {
                attempt.misses = 0;
                attempt.scanned(reply.text("svc_user"));
                later(attempt, this::poll);
            }
            case "success" -> succeeded(attempt, reply);
            case "fail" -> attempt.fail(reply.text("error").isEmpty() ? "it was refused." : reply.text("error"));
            case "timeout" -> attempt.fail(TOO_LATE);
            default -> missed(attempt, this::poll);
        }
    }

    private void succeeded(Attempt attempt, Reply reply) {
        boolean scanned = !reply.text("svc_user").isBlank();
        boolean flawless = ServiceClient.empty(reply.data().path("error"));
        boolean sameUser = attempt.kind == Kind.REGISTRATION || reply.text("user_id").equals(attempt.userId);
        if (!scanned || !flawless || !sameUser) {
            attempt.fail("the result of the FIDO service is not to be trusted.");
        } else if (attempt.kind == Kind.SIGN_IN) {
            attempt.succeed();
        } else {
            attempt.misses = 0;
            confirm(attempt);
        }
    }

    /** A registration counts only when the service lists a credential that was not there before. */
    private void confirm(Attempt attempt) {
        service.credentials(attempt.userId, Math.min(ServiceClient.LIMIT, left(attempt))).thenAccept(reply -> {
            Set<String> fresh = listed(reply, attempt.userId);
            if (fresh == null) {
                missed(attempt, this::confirm);
                return;
            }
            fresh.removeAll(attempt.before);
            if (fresh.isEmpty()) attempt.fail("the FIDO service lists no new passkey.");
            else record(attempt, fresh);
        }).exceptionally(problem -> broken(attempt, problem));
    }

    private synchronized void record(Attempt attempt, Set<String> fresh) {
        if (attempt.ended()) return;
        Set<String> known = accounts.get(attempt.email);
        if (known != null && !attempt.signedIn) {
            // Another browser has made the account in the meantime: this passkey must not open it.
            fresh.removeAll(known);
            if (!fresh.isEmpty()) service.delete(attempt.userId, fresh);
            attempt.fail("this account has a passkey. Please sign in first.");
            return;
        }
        // Two browsers have registered the same address at once, and the list does not tell whose passkey is whose.
        if (fresh.size() > 1 && attempts.values().stream().anyMatch(other -> other.kind == Kind.REGISTRATION
                && other.email.equals(attempt.email) && !other.owner.equals(attempt.owner))) {
            service.delete(attempt.userId, fresh);
            attempt.fail("another browser registers the same address. Please try again.");
            return;
        }
        accounts.computeIfAbsent(attempt.email, email -> ConcurrentHashMap.newKeySet()).addAll(fresh);
        attempt.succeed();
    }

    private void missed(Attempt attempt, java.util.function.Consumer<Attempt> step) {
        if (left(attempt) <= 0) attempt.fail(TOO_LATE);
        else if (++attempt.misses >= MOST_MISSES) attempt.fail(NO_ANSWER);
        else later(attempt, step);
    }

    private static Void broken(Attempt attempt, Throwable problem) {
        System.err.println("The attempt cannot go on: " + problem);
        attempt.fail(NO_ANSWER);
        return null;
    }

    /** The IDs of a list, those of one user or all; null if the list cannot be used. */
    private static Set<String> listed(Reply reply, String userId) {
        if (!reply.usable() || !reply.data().path("list").isArray()) return null;
        var ids = new HashSet<String>();
        for (JsonNode credential : reply.data().path("list")) {
            JsonNode id = credential.path("credential_id");
            JsonNode user = credential.path("user_id");
            if (!id.isTextual() || id.textValue().isEmpty() || !user.isTextual()) return null;
            if (userId == null || user.textValue().equals(userId)) ids.add(id.textValue());
        }
        return ids;
    }

    /** Ends what a browser has under way, when it signs out or is signed in by one attempt. */
    void endOf(String owner) {
        for (Attempt attempt : attempts.values()) if (attempt.owner.equals(owner)) attempt.fail("it was ended by this browser.");
    }

    private void forget() {
        long now = System.currentTimeMillis();
        attempts.values().removeIf(attempt -> attempt.endedBefore(now - 300_000));
        messages.values().removeIf(expiresAt -> expiresAt < now - HOUR);
    }
}
