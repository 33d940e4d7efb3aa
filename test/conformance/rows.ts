/**
 * Every rule of the three documents about the service, under a tag. A test that shows a rule has its tag in brackets
 * at the start of its title (or of its describe block), so that a list from rules to tests can be made.
 */
export type Row = {
  readonly tag: string
  readonly document: 'interface' | 'decisions' | 'app-interface' | 'standards'
  readonly row: string
}

const interfaceRows = {
  'interface.envelope':
    'Every response is {code: integer, data: object, error: string}; code 0 and error "" on success.',
  'interface.json': 'Only JSON request and response bodies are supported.',
  'interface.message-address': 'Both options endpoints answer url (address, "#", token) and expires_at (Unix seconds).',
  'interface.msg-id': 'The message ID is the text after "#" with its first character removed.',
  'interface.result-record': 'Results are svc_user, status, error, and user_id for authentications only.',
  'interface.svc-user': 'svc_user has a value once status is bind or later.',
  'interface.error-field': 'error has a value when status is fail.',
  'interface.user-id-field': 'user_id has a value when the authentication succeeded: the one used at registration.',
  'interface.credential':
    'A credential is credential_id, credential_name, user_id, created_at and updated_at (RFC 3339).',
  'interface.states': 'init, bind, success, fail and timeout, as the result endpoints report them.',
  'interface.reported-once': 'success and fail are each reported only once.',
  'interface.pre-registration':
    'POST /rp/attestation/options: user_id and username required, credential_name and display_name not.',
  'interface.registration-result': 'GET /rp/attestation/result?msg_id=: svc_user, status, error.',
  'interface.pre-authentication': 'POST /rp/assertion/options: user_id, username and method (qrcode or push) required.',
  'interface.method-qrcode': 'qrcode returns the address and sends no push.',
  'interface.method-push': 'push pushes the request to the phone; the response is a message address all the same.',
  'interface.authentication-result': 'GET /rp/assertion/result?msg_id=: svc_user, status, user_id, error.',
  'interface.list': 'GET /rp/credentials?user_id=: total and list.',
  'interface.delete': 'DELETE /rp/credentials with user_id and credential_ids: total is the number deleted.',
  'interface.authorization': 'Every request carries its credentials in the Authorization header.',
  'interface.canonical-request':
    'Six components joined by newlines: method, URI, query, headers, signed headers, payload hash.',
  'interface.canonical-query': 'Sorted by name, then value, byte order; URL-encoded; empty without query.',
  'interface.canonical-headers':
    'Lower-case names, trimmed values with runs of spaces as one, repeated values joined by commas.',
  'interface.payload-hash': 'Lower-case hex SHA-256 of the body; of the empty string when it is empty.',
  'interface.string-to-sign': 'Algorithm, date, scope and the hash of the canonical request, joined by newlines.',
  'interface.signature': 'HMAC-SHA256 with the secret key, lower-case hex.',
  'interface.storage-choice': 'Chip or cloud is chosen in the app and is no parameter of the RP.',
} as const

const decisionRows = {
  'profile.whole': 'A profile is validated as a whole; an unknown key or a bad value is an error that names the key.',
  'profile.live': 'A profile is applied without a restart.',
  'workspaces.isolation': 'Parallel workspaces do not meet: nothing of one is visible in another.',
  'workspaces.main': 'main always exists and has the plain addresses; any other has /w/<id> before the same paths.',
  'workspaces.close': 'Closing a workspace removes all of it.',
  'addresses.host': 'The host used in signing is the Host header exactly as the client sent it, with its port.',
  'addresses.url': 'url is {base_url}/m#<kind><msg_id>: r or a, then 128 random bits in base64url.',
  'addresses.page': 'A person who opens a message address in a browser sees what it is and how to scan it.',
  'rps.first': 'First start seeds one RP, RP ID localhost, origin http://localhost:<the real port>, with one key.',
  'rps.keys': 'An RP may have several active keys; each can be disabled or deleted, and a deletion taken back.',
  'rps.foreign': 'A foreign msg_id, credential or user answers exactly like one that does not exist.',
  'clock.governs': 'The workspace clock governs expiry and stored times.',
  'clock.alarm': 'A message expires when the clock passes, with an event, not when somebody looks.',
  'clock.kept': 'What was acknowledged of a clock survives the end of the process, however sudden.',
  'events.kept':
    'With a data directory events outlive a stop and SIGKILL; no number is given twice, and a stream goes on where it was.',
  'events.disk': 'A disk that takes no events stops nothing else, and they are stored when it takes them again.',
  'clock.exact': 'A clock shows whole milliseconds from 1970 to 9999; any other time, step or speed is refused.',
  'disk.full':
    'A disk that refuses ends nothing: what cannot be stored is refused and has no effect, or is tried again.',
  'import.large': 'An export of thousands of registrations can be imported.',
  'import.slices': 'Others are heard while a workspace is replaced, and see all of the old or all of the new.',
  'import.rules':
    'An import obeys the rules by which its rows are made; it is taken whole or refused, with the field named.',
  'import.named': 'What is refused of a document is named: the field, or the row that has the same key.',
  'phones.power': 'A loss of power leaves no credential at the service whose key is gone.',
  'store.damaged': 'A damaged row is told in the log and lacks what is damaged; the rest of its workspace goes on.',
  'import.damaged': 'A damaged workspace is named at the start and set aside; the others open.',
  'store.power':
    'What phones keep in a data directory is on the disk before it is acknowledged, as the service’s rows are.',
  'store.owner-only': 'Every file of a data directory is its owner’s alone, whatever the umask is.',
  'clock.skew': 'X-Svc-Date is judged by real time (profile skew_clock: wall | bench).',
  'signing.forms': 'Both header forms are accepted (profile authorization_forms).',
  'signing.general': 'General form: the key ID ends at the first slash.',
  'signing.short':
    'Short form: the active keys are tried, each with every identifier it may have (profile short_form_identifiers).',
  'signing.scope': 'Scope is fido-server/<identifier>; any other module is refused.',
  'signing.short-explain': 'The diagnosis of a mismatch says which identifier would have matched.',
  'signing.scope-date': 'An identifier whose first part is eight digits must name the day of X-Svc-Date.',
  'signing.host': 'host must be signed.',
  'signing.unsent': 'A header that is named as signed and was not sent is 40102.',
  'signing.date': 'x-svc-date must be present, well formed and a real date.',
  'signing.skew': 'x-svc-date must be within ±300 s (profile clock_skew_s).',
  'signing.date-unsigned': 'x-svc-date need not be signed (profile require_signed_date).',
  'signing.replay': 'A signed request may be sent again within the skew.',
  'signing.canonical-uri': 'The path exactly as on the request line (profile canonical_uri: as-sent | encoded).',
  'signing.query': 'Percent-decoded once and re-encoded; + is a plus; a name without = becomes name=.',
  'signing.raw-bytes': 'The payload hash is over the received bytes, before anything parses them.',
  'signing.lower-hex': 'The signature must be 64 lower-case hex digits.',
  'signing.own-codes': 'Every refusal has its own code.',
  'signing.explain': 'A mismatch carries canonical_request and strings_to_sign (profile explain_signatures).',
  'signing.explain-key':
    'General: one text, only when the key exists; short: one per scope, without naming keys; never the secret.',
  'messages.moves': 'init → bind → success | fail; init | bind → timeout; nothing else.',
  'messages.expiry': 'Expiry 180 s (profile message_ttl_s).',
  'messages.bind-first':
    'The first device binds; the same one again is harmless; another is 40301 and the message is untouched.',
  'messages.only-bound': 'Only the bound device can confirm or reject.',
  'messages.final-fail':
    'A rejected or unverifiable answer is final: fail, and error is a machine word, a colon, a sentence.',
  'messages.not-object': 'A body that is no JSON object is 4000x and leaves the message untouched.',
  'messages.response-judged': 'Anything inside response is judged and final.',
  'messages.same-answer': 'The identical answer again gets the first verdict; a different one 40903.',
  'messages.svc-user': 'svc_user is the account name and the masked number; empty in init.',
  'messages.once': 'The first read of success or fail delivers it; later reads 41001 (profile final_result).',
  'messages.lost-answer': 'Delivered means committed: an answer lost on the wire is not undone.',
  'messages.head': 'HEAD never consumes.',
  'messages.one-reader': 'Of many simultaneous readers exactly one gets the result.',
  'messages.timeout-again': 'timeout can be read again and again.',
  'messages.true-state': 'The control interface always shows the true state.',
  'messages.kept': 'A result not fetched stays 10 minutes past the expiry, then the message is gone.',
  'messages.wrong-ceremony': 'The endpoint of the wrong ceremony: 40402.',
  'messages.two-names': 'msg_id and id are both accepted; both and different: 40004.',
  'users.lengths': 'user_id, username, display_name 1–128 characters, credential_name 1–64 (profile limits).',
  'users.characters': 'Valid Unicode, no control characters, nothing trimmed.',
  'users.empty-optional':
    'null or "" for an optional field counts as absent (profile empty_optional: absent | refuse).',
  'users.display-name':
    'display_name defaults to username; a differing username at pre-authentication is only displayed.',
  'users.handle': 'The user handle is an HMAC of the RP’s random key and travels with the RP on export.',
  'users.credential-name': 'A missing credential_name becomes two plain words and a number.',
  'users.exclude': 'Registration excludes the existing credentials of the user.',
  'users.limit': 'At most 20 credentials per user (profile credentials_per_user): 40901.',
  'users.options': 'Attestation, user verification, resident key and algorithms of the options follow the profile.',
  'users.unknown': 'Pre-authentication of a user without credentials: 40403 (profile unknown_user: refuse | accept).',
  'users.push-chip': 'The push for a device-bound credential goes to its device.',
  'users.push-cloud': 'The push for a cloud credential goes to all devices of its account.',
  'users.push-later': 'A device that is off gets the push when it is back, until the expiry.',
  'users.push-scan': 'The url of a push message can be scanned too.',
  'users.list': 'List: oldest first, total is the length, an unknown user is empty.',
  'users.delete':
    'Delete: unknown, foreign and repeated ids are not counted and no error; empty array 0; over 100 is 40002.',
  'users.delete-user-id': 'user_id from the body, else the query; both and different 40004.',
  'users.counter': 'A counter that does not grow, where either is non-zero, fails (profile counter_regression).',
  'users.attestation':
    'accept-any accepts unknown roots; require-trusted wants a chain to the workspace’s roots (profile attestation).',
  'judge.second':
    'A second verifier hears every ceremony outside the request; a disagreement is told beside the events (profile second_opinion).',
  'errors.codes': 'code = status × 100 + n, stable, one table.',
  'errors.http-status': 'profile http_status: semantic | always-200.',
  'errors.json': '40001 malformed JSON.',
  'errors.invalid': '40002 invalid parameter, named.',
  'errors.missing': '40003 missing parameter.',
  'errors.conflict': '40004 conflicting parameters.',
  'errors.no-authorization': '40101 no Authorization.',
  'errors.malformed-authorization': '40102 malformed Authorization.',
  'errors.unknown-key': '40103 unknown or disabled access key.',
  'errors.mismatch': '40104 signature mismatch.',
  'errors.device': '40110 device token or account proof.',
  'errors.route': '40401 no such route.',
  'errors.message': '40402 message not found.',
  'errors.method': '40501 method not allowed, with Allow.',
  'errors.state': '40902 not in a state for that.',
  'errors.expired': '41002 message expired.',
  'errors.body-size': '41301 body over 64 KiB.',
  'errors.not-json': '41501 not JSON.',
  'errors.rate': '42901 too many requests (profile rate_limit_per_minute, off).',
  'errors.internal': '50001 internal, with an id that finds the log line.',
  'errors.fault': '50301 fault set by the user.',
  'errors.disk': '50701 on a disk that takes no more.',
  'errors.order': 'Order of judgement: route, signature, parameters.',
  'errors.parser': 'What the HTTP parser itself refuses answers in the envelope whenever an answer is possible.',
} as const

const appRows = {
  'app.sign-in': 'POST /devices signs a phone in, making the account on first use.',
  'app.bearer': 'All other calls carry Authorization: Bearer <device_token>.',
  'app.sign-out': 'DELETE /devices/self signs out; the token is dead from then on.',
  'app.bind': 'POST /messages/{msg_id}/bind answers kind, rp, user, credential_name, expires_at and public_key.',
  'app.options-json': 'public_key is WebAuthn’s options JSON to the letter.',
  'app.attestation': 'POST /messages/{msg_id}/attestation with response and storage answers status and error.',
  'app.assertion': 'POST /messages/{msg_id}/assertion with response answers status and error.',
  'app.reject': 'POST /messages/{msg_id}/reject with an optional reason answers status.',
  'app.inbox': 'GET /inbox: one message event per push; what was missed comes first.',
  'app.inbox-resume': 'Last-Event-ID resumes.',
  'app.inbox-alive': 'A comment every 15 s keeps the inbox alive.',
  'app.vault': 'The vault keeps sealed credentials: list, put, get, delete.',
  'app.vault-conditions': 'PUT needs If-Match or If-None-Match: *.',
  'app.vault-ids': 'Credential ids may have 1,023 bytes.',
  'app.proof': 'The proof given first binds the account; a later sign-in without it is 40110.',
  'app.open-account': 'An account made without a proof is open and has no vault.',
  'app.json': 'application/json is required where there is a body.',
  'app.host': 'The Host must be ours.',
  'app.origin': 'An Origin must be ours or one that an RP has; only those get CORS headers.',
  'app.rp-no-cors': 'RP endpoints send no CORS headers.',
  'app.no-cookies': 'No cookies anywhere.',
  'app.openapi': 'Both interfaces are served as OpenAPI.',
  'cli.help': 'handset --help lists everything.',
  'cli.misuse': 'Unknown options and bad values are one clear line and exit code 2.',
  'cli.options': '--host, --port, --prefix, --public-url, --data, --memory, --rp-id, --origin and --access-key.',
  'cli.ready': 'With --json the first line on stdout says where everything is and which key signs.',
  'cli.config': '--config describes RPs, keys, phones and profile in one file.',
  'cli.environment': 'Every option may come from HANDSET_*; the command line, then the environment, then the file.',
  'cli.secrets': 'Every secret may come from a file.',
  'cli.desktop': 'handset desktop downloads Electron where it is missing, or says what failed, and opens it.',
  'cli.sign': 'handset sign signs one request as an RP does, and prints it.',
  'package.image':
    'The container image: any user, read-only, a health check; the Dockerfile and the archive say the same.',
  'contract.deprecated': 'What goes some day is marked so in the OpenAPI document, the list of routes and the clients.',
  'cli.tls':
    'https with a certificate that is made or given: everything goes over it, and what does not fit is one line.',
  'http.healthz': 'Watchers ask for health without a token, and learn nothing else.',
  'cli.open': 'handset open opens the page of a running bench with a fresh code.',
  'cli.token': 'handset token makes, lists and revokes tokens that are limited to workspaces.',
  'cli.backup': 'handset backup and restore move a workspace between benches and stores as one file.',
  'cli.admin': 'handset admin migrate shows versions and applies what is missing.',
  'control.limited':
    'A limited token sees its workspaces alone, and reads secrets only with leave; each reveal is an event.',
  'control.quota': 'A quota refuses what goes beyond it, however many come at once.',
  'control.abandoned': 'A workspace with a lease is closed when nobody has used it for so long.',
  'serve.metrics': 'Metrics in Prometheus’ text format, with bounded labels, behind a token.',
  'serve.drain': 'A process that drains is not ready and answers as before: a rolling restart fails no request.',
  'serve.log': 'Logs as text or JSON, with trace ids, without a secret.',
  'cli.window': 'The window has a private profile; the one-time code is not in the list of processes.',
  'cli.stop': 'Ctrl-C or SIGTERM ends it within 2 s with exit code 0, whatever is under way.',
  'cli.committed': 'Nothing committed is lost.',
  'cli.data-in-use': 'A data directory in use names its holder.',
  'cli.newer': 'A data directory written by a newer version is refused untouched.',
} as const

/** What the judge was held against in November 2026: what holds, what is refused, and why. */
const standardRows = {
  'judge.w3c':
    'WebAuthn Level 3, Editor’s Draft of 2026-07-30 (w3c/webauthn 146d0db0): its test vectors, 15 registrations and 15 authentications.',
  'judge.compound':
    'Compound attestation (§8.9): two or more statements, none of them compound. The RP decides how many must verify; here it is all. Trust in one path is enough. Nothing real was found: genuine statements are wrapped.',
  'judge.top-origin':
    'topOrigin (§5.8.1, §7.1 step 11, §7.2 step 14): only with crossOrigin true, and one of the profile’s top_origins; refused elsewhere, for clients set it there alone.',
  'judge.ml-dsa':
    'RFC 9964 (May 2026): ML-DSA-44, -65, -87 are -48, -49, -50, key type AKP is 7, pub is -1; the examples of its working group’s repository (cose-wg/draft-ietf-cose-dilithium 7f2084be) are made and verified. A key ID or the seed beside them is refused (§6.5.1).',
  'judge.roots':
    'The roots that @simplewebauthn/server brings along for Android, SafetyNet, Apple and MDS are read; it has none for TPMs, and the makers of TPMs that it knows are known.',
} as const

const rowsOf = (document: Row['document'], rows: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(rows).map(([tag, row]) => ({ tag, document, row }))

export const conformanceRows: readonly Row[] = [
  ...rowsOf('interface', interfaceRows),
  ...rowsOf('decisions', decisionRows),
  ...rowsOf('app-interface', appRows),
  ...rowsOf('standards', standardRows),
]
