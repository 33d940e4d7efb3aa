// Made by `npm run docs` from src-main/core/contract; edit that instead.
package local.handset;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every call of the control interface, version 1: what must be given is an argument, what may be is in `more`. */
public abstract class Calls {
    static final int CONTROL_VERSION = 1;
    static final int PHONE_NAME_MAX = 64;
    static final int REPORT_FAILURE_MAX = 500;
    static final int REPORT_TITLE_MAX = 128;
    static final int WAIT_ENDED = 40905;
    static final int PHONE_REFUSED = 40906;

    abstract Json call(String method, String path, Map<String, ?> params, Map<String, ?> query, Map<String, ?> body);

    static Map<String, ?> with(Map<String, ?> more, Object... pairs) {
        var all = new HashMap<String, Object>(more);
        for (int i = 0; i < pairs.length; i += 2) all.put((String) pairs[i], pairs[i + 1]);
        return all;
    }

    /** What runs here. */
    public Json benchInfo() {
        return call("GET", "/info", Map.of(), Map.of(), null);
    }

    /** Exchanges the one-time code in the page’s address for the control token. */
    public Json sessionOpen(String code) {
        return call("POST", "/session", Map.of(), Map.of(), Map.of("code", code));
    }

    /** Makes a one-time code with which another page can open a session. */
    public Json sessionInvite(Map<String, ?> more) {
        return call("POST", "/session/codes", Map.of(), Map.of(), more);
    }

    /** The workspaces: all, or those of an owner or with a label. */
    public Json workspacesList(Map<String, ?> more) {
        return call("GET", "/workspaces", Map.of(), more, null);
    }

    /** Opens a workspace: a bench of its own, so that parallel tests do not meet. */
    public Json workspacesCreate(Map<String, ?> more) {
        return call("POST", "/workspaces", Map.of(), Map.of(), more);
    }

    /** One workspace. */
    public Json workspacesGet(String id) {
        return call("GET", "/workspaces/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Changes what a workspace is for and what it may hold; null takes a setting away. */
    public Json workspacesPatch(String id, Map<String, ?> more) {
        return call("PATCH", "/workspaces/{id}", Map.of("id", id), Map.of(), more);
    }

    /** Closes a workspace and removes all of it. The workspace main cannot be closed. */
    public Json workspacesClose(String id) {
        return call("DELETE", "/workspaces/{id}", Map.of("id", id), Map.of(), null);
    }

    /** The tokens that are limited to workspaces, oldest first. */
    public Json tokensList() {
        return call("GET", "/tokens", Map.of(), Map.of(), null);
    }

    /** Makes a token that is limited to workspaces. Only this answer holds it. */
    public Json tokensCreate(Map<String, ?> more) {
        return call("POST", "/tokens", Map.of(), Map.of(), more);
    }

    /** Revokes a token: its calls are refused and its streams end at once. What it opened stays. */
    public Json tokensRevoke(String id) {
        return call("DELETE", "/tokens/{id}", Map.of("id", id), Map.of(), null);
    }

    /** The workspace at a glance. */
    public Json overview() {
        return call("GET", "/overview", Map.of(), Map.of(), null);
    }

    /** Back to the start: messages, credentials, accounts and phones go, the clock shows real time. */
    public Json workspaceReset(Map<String, ?> more) {
        return call("POST", "/reset", Map.of(), Map.of(), more);
    }

    /** The workspace’s clock. */
    public Json clockGet() {
        return call("GET", "/clock", Map.of(), Map.of(), null);
    }

    /** Sets the clock: time, frozen or running, speed. What is not named stays. */
    public Json clockPut(Map<String, ?> more) {
        return call("PUT", "/clock", Map.of(), Map.of(), more);
    }

    /** Moves the clock forward; everything that is due on the way happens in its order. It ends with the year 9999. */
    public Json clockAdvance(Map<String, ?> more) {
        return call("POST", "/clock/advance", Map.of(), Map.of(), more);
    }

    /** The profile, and what every setting means and may be. */
    public Json profileGet() {
        return call("GET", "/profile", Map.of(), Map.of(), null);
    }

    /** Changes settings; all of them or none. */
    public Json profilePatch(Map<String, ?> more) {
        return call("PATCH", "/profile", Map.of(), Map.of(), more);
    }

    /** Puts settings back to their defaults. */
    public Json profileReset(Map<String, ?> more) {
        return call("POST", "/profile/reset", Map.of(), Map.of(), more);
    }

    /** The network conditions in force. */
    public Json conditionsGet() {
        return call("GET", "/conditions", Map.of(), Map.of(), null);
    }

    /** Replaces the network conditions of `scope`, or those for everybody; what is not named is normal, other scopes keep theirs. */
    public Json conditionsPut(Map<String, ?> more) {
        return call("PUT", "/conditions", Map.of(), Map.of(), more);
    }

    /** Changes the conditions that are named and leaves the rest. */
    public Json conditionsPatch(Map<String, ?> more) {
        return call("PATCH", "/conditions", Map.of(), Map.of(), more);
    }

    /** Sets the network conditions back to normal: those of the scope that is named, or all. */
    public Json conditionsDelete(Map<String, ?> more) {
        return call("DELETE", "/conditions", Map.of(), more, null);
    }

    /** The snapshots, oldest first. */
    public Json snapshotsList() {
        return call("GET", "/snapshots", Map.of(), Map.of(), null);
    }

    /** Keeps the workspace as it is now. */
    public Json snapshotsCreate(Map<String, ?> more) {
        return call("POST", "/snapshots", Map.of(), Map.of(), more);
    }

    /** Puts the workspace back to a snapshot. Events go on counting. */
    public Json snapshotsRestore(String id) {
        return call("POST", "/snapshots/{id}/restore", Map.of("id", id), Map.of(), Map.of());
    }

    /** Forgets a snapshot. */
    public Json snapshotsDelete(String id) {
        return call("DELETE", "/snapshots/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Takes the deletion of a snapshot back: one of the last 20. */
    public Json snapshotsUndelete(String id) {
        return call("POST", "/snapshots/{id}/undelete", Map.of("id", id), Map.of(), Map.of());
    }

    /** The whole workspace as one document. It holds secrets. */
    public Json workspaceExport() {
        return call("GET", "/export", Map.of(), Map.of(), null);
    }

    /** Puts an exported document in the place of this workspace. */
    public Json workspaceImport(Map<String, ?> more) {
        return call("POST", "/import", Map.of(), Map.of(), more);
    }

    /** Arms a fault of the service for the next answers to RPs. */
    public Json serviceArm(String fault, Map<String, ?> more) {
        return call("POST", "/service/faults", Map.of(), Map.of(), with(more, "fault", fault));
    }

    /** The armed faults of the service, oldest first. */
    public Json serviceFaults() {
        return call("GET", "/service/faults", Map.of(), Map.of(), null);
    }

    /** Disarms all faults of the service. */
    public Json serviceDisarmAll() {
        return call("DELETE", "/service/faults", Map.of(), Map.of(), null);
    }

    /** Disarms one fault of the service. */
    public Json serviceDisarm(String id) {
        return call("DELETE", "/service/faults/{id}", Map.of("id", id), Map.of(), null);
    }

    /** The faults that can be armed on the service. */
    public Json catalogueServiceFaults() {
        return call("GET", "/service-faults", Map.of(), Map.of(), null);
    }

    /** The relying parties. */
    public Json rpsList() {
        return call("GET", "/rps", Map.of(), Map.of(), null);
    }

    /** Adds a relying party. */
    public Json rpsCreate(String name, String rpId, Map<String, ?> more) {
        return call("POST", "/rps", Map.of(), Map.of(), with(more, "name", name, "rp_id", rpId));
    }

    /** One relying party. */
    public Json rpsGet(String rp) {
        return call("GET", "/rps/{rp}", Map.of("rp", rp), Map.of(), null);
    }

    /** Changes a relying party. */
    public Json rpsPatch(String rp, Map<String, ?> more) {
        return call("PATCH", "/rps/{rp}", Map.of("rp", rp), Map.of(), more);
    }

    /** Removes a relying party with its keys, messages and credentials. */
    public Json rpsDelete(String rp) {
        return call("DELETE", "/rps/{rp}", Map.of("rp", rp), Map.of(), null);
    }

    /** An RP’s access keys, without their secrets. */
    public Json keysList(String rp) {
        return call("GET", "/rps/{rp}/keys", Map.of("rp", rp), Map.of(), null);
    }

    /** Makes an access key. The answer holds its secret. */
    public Json keysCreate(String rp, Map<String, ?> more) {
        return call("POST", "/rps/{rp}/keys", Map.of("rp", rp), Map.of(), more);
    }

    /** Shows an access key’s secret. */
    public Json keysReveal(String rp, String key) {
        return call("POST", "/rps/{rp}/keys/{key}/reveal", Map.of("rp", rp, "key", key), Map.of(), Map.of());
    }

    /** Disables or enables an access key. */
    public Json keysPatch(String rp, String key, String state) {
        return call("PATCH", "/rps/{rp}/keys/{key}", Map.of("rp", rp, "key", key), Map.of(), Map.of("state", state));
    }

    /** Removes an access key: requests signed with it are refused from now on. */
    public Json keysDelete(String rp, String key) {
        return call("DELETE", "/rps/{rp}/keys/{key}", Map.of("rp", rp, "key", key), Map.of(), null);
    }

    /** Takes the deletion of an access key back, with its secret and its state: one of the last 20. */
    public Json keysUndelete(String rp, String key) {
        return call("POST", "/rps/{rp}/keys/{key}/undelete", Map.of("rp", rp, "key", key), Map.of(), Map.of());
    }

    /** The messages as they truly are, newest first. */
    public Json messagesList(Map<String, ?> more) {
        return call("GET", "/messages", Map.of(), more, null);
    }

    /** One message as it truly is. */
    public Json messagesGet(String id) {
        return call("GET", "/messages/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Ends one message that is under way, as if its time had come. The clock stays, and so do the others. */
    public Json messagesExpire(String id) {
        return call("POST", "/messages/{id}/expire", Map.of("id", id), Map.of(), Map.of());
    }

    /** The credentials, oldest first. */
    public Json credentialsList(Map<String, ?> more) {
        return call("GET", "/credentials", Map.of(), more, null);
    }

    /** Removes a credential from the service; the account’s phones get a signal. */
    public Json credentialsDelete(String id) {
        return call("DELETE", "/credentials/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Takes a deletion back, whoever deleted: one of the last 20. */
    public Json credentialsUndelete(String id) {
        return call("POST", "/credentials/{id}/undelete", Map.of("id", id), Map.of(), Map.of());
    }

    /** The accounts of the app. */
    public Json accountsList() {
        return call("GET", "/accounts", Map.of(), Map.of(), null);
    }

    /** The signed-in devices: the virtual phones and any others. */
    public Json devicesList() {
        return call("GET", "/devices", Map.of(), Map.of(), null);
    }

    /** Signs a device out; its token is dead from then on. */
    public Json devicesSignOut(String id) {
        return call("DELETE", "/devices/{id}", Map.of("id", id), Map.of(), null);
    }

    /** The roots that attestation may lead to. */
    public Json rootsList() {
        return call("GET", "/roots", Map.of(), Map.of(), null);
    }

    /** Trusts one more root. */
    public Json rootsAdd(String name, String certificate) {
        return call("POST", "/roots", Map.of(), Map.of(), Map.of("name", name, "certificate", certificate));
    }

    /** Trusts a root no longer. */
    public Json rootsDelete(String id) {
        return call("DELETE", "/roots/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Trusts a root again: one of the last 20 deletions. */
    public Json rootsUndelete(String id) {
        return call("POST", "/roots/{id}/undelete", Map.of("id", id), Map.of(), Map.of());
    }

    /** The bench’s own root, for verifiers elsewhere. */
    public Json rootsExport() {
        return call("GET", "/roots/own", Map.of(), Map.of(), null);
    }

    /** The events that are kept, oldest first. */
    public Json eventsList(Map<String, ?> more) {
        return call("GET", "/events", Map.of(), more, null);
    }

    /** The events of the ceremonies that began before `before`, each to its end, without their long parts; the newest come first, page by page. Calls outside of ceremonies come in groups. */
    public Json eventsCeremonies(Map<String, ?> more) {
        return call("GET", "/ceremonies", Map.of(), more, null);
    }

    /** What happened, as one HTML file that needs nothing else: what went wrong in words, then the timeline and inspector of the page. `/report.html` answers the file itself. */
    public Json eventsReport(Map<String, ?> more) {
        return call("GET", "/report", Map.of(), more, null);
    }

    /** What happened, as Markdown for programs and bug trackers: the verdict, the evidence, and a scenario that `handset run` plays from that file alone. `/agent-report.md` answers the file itself. */
    public Json eventsAgentReport(Map<String, ?> more) {
        return call("GET", "/agent-report", Map.of(), more, null);
    }

    /** What happened, as a scenario that does it again. Its setup makes the phones and passkeys that were there before; what no step can do is a comment in it. */
    public Json eventsScenario(Map<String, ?> more) {
        return call("GET", "/scenario", Map.of(), more, null);
    }

    /** What happened, as a `.handset` file that the page and `handset show` open: the latest 20,000 events. */
    public Json eventsTrace(Map<String, ?> more) {
        return call("GET", "/trace", Map.of(), more, null);
    }

    /** How a request that was refused with 40104 was signed: the usual mistakes are tried until one gives its signature. */
    public Json eventsSignature(String seq) {
        return call("GET", "/events/{seq}/signature", Map.of("seq", seq), Map.of(), null);
    }

    /** Answers with the first event that matches. When time runs out it refuses with 40905, and `data.came` says what came instead. */
    public Json eventsWait(Map<String, ?> match, Map<String, ?> more) {
        return call("POST", "/wait", Map.of(), Map.of(), with(more, "match", match));
    }

    /** Sends an RP’s request again: as it was, edited, signed anew or wrong. It goes to this bench alone. */
    public Json eventsResend(String seq, Map<String, ?> more) {
        return call("POST", "/events/{seq}/resend", Map.of("seq", seq), Map.of(), more);
    }

    /** Has a phone answer again, edited: the RP asks for a fresh registration or sign-in of the same user, the phone answers it with these edits, and the judge’s verdict is the answer. */
    public Json eventsAnswer(String seq, Map<String, ?> edits, Map<String, ?> more) {
        return call("POST", "/events/{seq}/answer", Map.of("seq", seq), Map.of(), with(more, "edits", edits));
    }

    /** The virtual phones. */
    public Json phonesList() {
        return call("GET", "/phones", Map.of(), Map.of(), null);
    }

    /** Makes a phone and signs it in. */
    public Json phonesCreate(String name, Map<String, ?> more) {
        return call("POST", "/phones", Map.of(), Map.of(), with(more, "name", name));
    }

    /** One phone. */
    public Json phonesGet(String id) {
        return call("GET", "/phones/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Changes a phone. */
    public Json phonesPatch(String id, Map<String, ?> more) {
        return call("PATCH", "/phones/{id}", Map.of("id", id), Map.of(), more);
    }

    /** Signs a phone out and takes it off the bench. */
    public Json phonesDelete(String id) {
        return call("DELETE", "/phones/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Holds the phone’s camera over a code: an address, or a picture that it really reads. */
    public Json phonesScan(String id, Map<String, ?> more) {
        return call("POST", "/phones/{id}/scan", Map.of("id", id), Map.of(), more);
    }

    /** Opens a push that arrived. */
    public Json phonesOpen(String id, String msgId) {
        return call("POST", "/phones/{id}/open", Map.of("id", id), Map.of(), Map.of("msg_id", msgId));
    }

    /** Swipes a push away; the service is not told. */
    public Json phonesDismiss(String id, String msgId) {
        return call("POST", "/phones/{id}/dismiss", Map.of("id", id), Map.of(), Map.of("msg_id", msgId));
    }

    /** Leaves whatever is on the screen, unanswered. */
    public Json phonesHome(String id) {
        return call("POST", "/phones/{id}/home", Map.of("id", id), Map.of(), Map.of());
    }

    /** Puts the finger on the sensor. */
    public Json phonesApprove(String id, Map<String, ?> more) {
        return call("POST", "/phones/{id}/approve", Map.of("id", id), Map.of(), more);
    }

    /** Says no. */
    public Json phonesReject(String id, Map<String, ?> more) {
        return call("POST", "/phones/{id}/reject", Map.of("id", id), Map.of(), more);
    }

    /** The finger is not recognised; the prompt stays. */
    public Json phonesFailFingerprint(String id, Map<String, ?> more) {
        return call("POST", "/phones/{id}/fail-fingerprint", Map.of("id", id), Map.of(), more);
    }

    /** Signs a phone in again. */
    public Json phonesSignIn(String id, Map<String, ?> more) {
        return call("POST", "/phones/{id}/sign-in", Map.of("id", id), Map.of(), more);
    }

    /** Signs a phone out; its chip and its account’s secret stay on it. */
    public Json phonesSignOut(String id) {
        return call("POST", "/phones/{id}/sign-out", Map.of("id", id), Map.of(), Map.of());
    }

    /** Back to the factory state: signs out and forgets the chip and the account’s secret. */
    public Json phonesWipe(String id) {
        return call("POST", "/phones/{id}/wipe", Map.of("id", id), Map.of(), Map.of());
    }

    /** The phone is lost and wiped from afar; it never answers again. */
    public Json phonesLose(String id) {
        return call("POST", "/phones/{id}/lose", Map.of("id", id), Map.of(), Map.of());
    }

    /** Looks into cloud storage again. */
    public Json phonesSync(String id) {
        return call("POST", "/phones/{id}/sync", Map.of("id", id), Map.of(), Map.of());
    }

    /** Deletes a credential from the phone; the service is not told. */
    public Json phonesForgetCredential(String id, String credentialId) {
        return call("DELETE", "/phones/{id}/credentials/{credential_id}", Map.of("id", id, "credential_id", credentialId), Map.of(), null);
    }

    /** Arms a fault for the next attempts. One that has begun goes on without it: `strikes` says which. */
    public Json phonesArm(String id, String fault, Map<String, ?> more) {
        return call("POST", "/phones/{id}/faults", Map.of("id", id), Map.of(), with(more, "fault", fault));
    }

    /** Disarms all of a phone’s faults. */
    public Json phonesDisarmAll(String id) {
        return call("DELETE", "/phones/{id}/faults", Map.of("id", id), Map.of(), null);
    }

    /** Disarms one fault. */
    public Json phonesDisarm(String id, String faultId) {
        return call("DELETE", "/phones/{id}/faults/{fault_id}", Map.of("id", id, "fault_id", faultId), Map.of(), null);
    }

    /** The leases, oldest first. */
    public Json leasesList() {
        return call("GET", "/leases", Map.of(), Map.of(), null);
    }

    /** Begins a lease: what is made with it goes when it ends. It expires unless a stream holds it. */
    public Json leasesCreate(Map<String, ?> more) {
        return call("POST", "/leases", Map.of(), Map.of(), more);
    }

    /** One lease. */
    public Json leasesGet(String id) {
        return call("GET", "/leases/{id}", Map.of("id", id), Map.of(), null);
    }

    /** Ends a lease: disarms its faults of the service, sets its conditions back, removes its phones, what they registered, their accounts, and ends what they were asked. */
    public Json leasesDelete(String id) {
        return call("DELETE", "/leases/{id}", Map.of("id", id), Map.of(), null);
    }

    /** The models a phone can be. */
    public Json catalogueModels() {
        return call("GET", "/phone-models", Map.of(), Map.of(), null);
    }

    /** The faults that can be armed on a phone. */
    public Json catalogueFaults() {
        return call("GET", "/phone-faults", Map.of(), Map.of(), null);
    }

    /** How far the RP simulator believes the service. */
    public Json simulatorGet(String rp) {
        return call("GET", "/rps/{rp}/simulator", Map.of("rp", rp), Map.of(), null);
    }

    /** Makes the RP simulator careful or careless, from its next request on. It is careful again after a reset or a restart. */
    public Json simulatorPatch(String rp, String care) {
        return call("PATCH", "/rps/{rp}/simulator", Map.of("rp", rp), Map.of(), Map.of("care", care));
    }

    /** The RP asks for a registration. */
    public Json simulatorRegister(String rp, String userId, String username, Map<String, ?> more) {
        return call("POST", "/rps/{rp}/simulator/register", Map.of("rp", rp), Map.of(), with(more, "user_id", userId, "username", username));
    }

    /** The RP asks for a sign-in. */
    public Json simulatorSignIn(String rp, String userId, String username, String method, Map<String, ?> more) {
        return call("POST", "/rps/{rp}/simulator/sign-in", Map.of("rp", rp), Map.of(), with(more, "user_id", userId, "username", username, "method", method));
    }

    /** One of the RP’s requests. */
    public Json simulatorAttempt(String rp, String msgId) {
        return call("GET", "/rps/{rp}/simulator/attempts/{msg_id}", Map.of("rp", rp, "msg_id", msgId), Map.of(), null);
    }

    /** The RP asks for the result once, now. */
    public Json simulatorPoll(String rp, String msgId) {
        return call("POST", "/rps/{rp}/simulator/attempts/{msg_id}/poll", Map.of("rp", rp, "msg_id", msgId), Map.of(), Map.of());
    }

    /** The RP asks for the credentials of one of its users, as signed as everything else. */
    public Json simulatorCredentials(String rp, String userId, Map<String, ?> more) {
        return call("GET", "/rps/{rp}/simulator/credentials", Map.of("rp", rp), with(more, "user_id", userId), null);
    }

    /** The RP deletes a credential of one of its users. */
    public Json simulatorDeleteCredential(String rp, String id, String userId, Map<String, ?> more) {
        return call("DELETE", "/rps/{rp}/simulator/credentials/{id}", Map.of("rp", rp, "id", id), with(more, "user_id", userId), null);
    }
}
