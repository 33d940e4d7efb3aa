import type { CheckedCase } from '../../core/contract/check-report.ts'

type DocumentPage = `interface/${'relying-party' | 'signing' | 'phone-app' | 'version-1'}` | 'errors'

/**
 * The sentences of the docs that `handset check` tests, quoted exactly. Each has the IDs of the cases that fail if a
 * service breaks it; `*` in an ID matches any text. If two sentences name a case, the case reports the first.
 */
const TABLE: Readonly<Record<DocumentPage, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'interface/signing': {
    'When it is refused': {
      'Each cause has its own code. The service checks in this order:': '*-goes-before-*',
      '1. 40101: no `Authorization` header': 'no-authorization-is-40101',
      '2. 40102: the header is malformed': `
        another-algorithm-is-40102 an-authorization-without-a-signature-is-40102 signed-headers-*
        a-signature-in-capitals-is-40102`,
      '3. 40107: `host` is not signed': 'host-that-is-not-signed-is-40107',
      '4. 40102: a signed header was not sent': 'a-signed-header-that-was-not-sent-is-40102',
      '5. 40105: the date is missing, repeated or malformed': `
        no-x-svc-date-is-40105 an-x-svc-date-that-is-sent-twice-is-40105 a-malformed-x-svc-date-is-40105
        a-date-in-iso-form-is-40105 a-day-that-no-calendar-has-is-40105 an-hour-that-no-clock-has-is-40105
        a-date-with-a-fraction-is-40105 a-date-without-its-z-is-40105`,
      '6. 40106: the date is too far from real time': 'a-date-too-far-in-*',
      '7. 40108: bad scope, or one that is not UTF-8':
        'a-scope-of-another-service-is-40108 a-scope-that-is-not-utf-8-is-40108',
      '8. 40103: unknown or disabled key': 'an-unknown-access-key-is-40103',
      '9. 40104: the signature does not match': 'a-signature-with-*',
      'With 40104 `data` has `canonical_request` and `strings_to_sign` as the service computed them, without the secret:':
        '40104-shows-the-canonical-request-and-never-the-secret',
      'The general form has one string.': '40104-shows-the-canonical-request-and-never-the-secret',
      '(*Profile* `explain_signatures`: they can be left out.)':
        '40104-shows-the-canonical-request-and-never-the-secret',
      'The short form has one for each scope that was tried; `<access_key_id>`, `<rp>` and `<rp_id>` stand for the values of your own key and RP.':
        '40104-for-the-short-form-shows-a-string-for-each-scope-and-names-no-key',
    },
    'Canonical request': {
      '2. the path exactly as on the request line,': 'a-path-that-was-signed-otherwise-is-40104',
      '3. the query: split at `&` and the first `=`, names and values percent-decoded once and encoded again (unreserved characters stay, hex in upper case, `+` is a plus), a name without `=` becomes `name=`, sorted by name, then value, in byte order': `
        a-query-* values-of-one-name-are-sorted upper-case-goes-before-lower-case-in-the-query
        a-plus-in-the-query-is-* an-escaped-* a-name-without-counts-as-empty
        a-value-with-is-split-at-the-first escaped-letters-in-the-query-are-written-plainly
        unreserved-characters-in-the-query-stay`,
      '4. each signed header as `name:value` and a newline; leading and trailing spaces removed, runs of spaces made one; values of a repeated header joined by commas in their order': `
        spaces-around-a-signed-headers-value-do-not-count runs-of-spaces-in-a-signed-headers-value-are-one
        values-of-a-repeated-signed-header-are-joined-in-their-order an-empty-signed-header-is-signed-as-empty
        a-header-that-is-not-signed-changes-nothing`,
      '6. the lower-case hex SHA-256 of the body as sent, or of nothing if there is no body':
        'a-body-that-was-signed-otherwise-is-40104',
      'The value of a signed header counts as the octets that were sent, whatever their encoding:':
        'a-signed-header-beyond-ascii-counts-by-its-octets',
    },
    'Signing a request': {
      'Every RP request carries `X-Svc-Date: YYYYMMDDTHHMMSSZ` and an `Authorization` header in one of two forms':
        'the-general-form-is-accepted the-short-form-is-accepted',
      '(*profile*: each can be switched off):': 'a-form-that-the-profile-switches-off-is-40102',
      '**1. Canonical request**, six parts joined by newlines: 1. the method, upper case':
        'the-general-form-is-accepted a-body-of-64-kib-is-accepted',
      '5. `signed_headers` as in the `Authorization` header': 'further-headers-can-be-signed',
      '`signed_headers` are lower-case names, ascending, joined by `;`;': `
        signed-headers-that-are-not-ascending-are-40102 signed-headers-in-upper-case-are-40102
        further-headers-can-be-signed`,
      '`host` must be among them, and every header they name must be sent.':
        'host-that-is-not-signed-is-40107 a-signed-header-that-was-not-sent-is-40102',
      'The short form names no key and no scope.': 'the-short-form-with-another-secret-is-40104',
      "The service tries the workspace's active keys, each with the scope `fido-server/` and one of these identifiers: none, the access key's ID, the day of `X-Svc-Date`, the RP's ID in the bench (`rp_…`), its RP ID,":
        'the-short-form-with-* the-short-form-finds-the-key-of-another-rp',
      '**2. String to sign**, four lines: `SVC-HMAC-SHA256`, the `X-Svc-Date`, the scope, the lower-case hex SHA-256 of the canonical request.':
        'a-date-that-was-signed-otherwise-is-40104',
      'The scope is `fido-server/<identifier>`; the identifier may be empty.': 'a-scope-with-an-identifier-is-accepted',
      'If its first part, up to a `/` or the end, is eight digits, it is a date (`YYYYMMDD`) and must be the day of `X-Svc-Date`.':
        'a-scope-with-the-day-is-accepted a-scope-of-another-day-is-40108 a-scope-that-begins-with-another-day-is-40108 a-scope-with-more-behind-eight-digits-is-no-day',
      '**3. Signature**: HMAC-SHA256 of the string to sign under the secret key, 64 lower-case hex digits.':
        'a-signature-in-capitals-is-40102 a-signature-with-*',
      'The scope is UTF-8, in the string to sign and in the header, and signed as it is written: a `%` in it escapes nothing.':
        'a-scope-beyond-ascii-is-signed-as-utf-8 a-percent-sign-in-a-scope-escapes-nothing',
      '`X-Svc-Date` must be within 300 s of real time': 'a-date-too-far-in-*',
      'The same signed request may be sent again within that time.': 'the-same-signed-request-may-be-sent-again',
    },
  },
  'interface/relying-party': {
    'The relying party’s interface': {
      'Every request is signed, every body is JSON, every response is `{"code": 0, "data": {…}, "error": ""}`, with an error code when it refuses.': `
        a-success-is-* a-refusal-is-* responses-are-application-json`,
      '`error` says in words what was received and expected;': 'the-sentence-of-a-refusal-names-the-field',
      '`data.reason`, where present, says it for programs, as `{"code", "params"?}`.':
        'data-reason-where-present-is-a-code-and-params',
      '| `POST /rp/attestation/options` | begin a registration: `user_id`, `username`, optional `credential_name`, `display_name` | `url`, `expires_at` |':
        'a-registration-without-*',
      '| `GET /rp/attestation/result?msg_id=…` | the state of the registration | `svc_user`, `status`, `error` |':
        'a-result-can-be-asked-for-by-msg-id a-result-of-an-unknown-message-is-40402',
      '| `POST /rp/assertion/options` | begin a sign-in: `user_id`, `username`, `method` = `qrcode` or `push` | `url`, `expires_at` |':
        'a-sign-in-without-* a-method-that-is-neither-qrcode-nor-push-is-40002 a-sign-in-by-code-succeeds',
      '| `GET /rp/assertion/result?msg_id=…` | the state of the sign-in | `svc_user`, `status`, `user_id`, `error` |':
        'a-sign-in-names-the-user-that-was-asked-for',
      "| `GET /rp/credentials?user_id=…` | the user's credentials, oldest first | `total`, `list` of `credential_id`, `credential_name`, `user_id`, `created_at`, `updated_at` (latest use; both RFC 3339) |": `
        a-new-credential-is-listed-with-its-id-name-user-and-times updated-at-is-the-latest-use
        credentials-are-listed-oldest-first a-list-* a-user-whom-nobody-knows-has-an-empty-list`,
      '| `DELETE /rp/credentials` | delete some: `user_id`, `credential_ids` | `total`: how many were deleted |': `
        a-credential-that-is-removed-is-gone-* a-credential-that-was-removed-signs-nobody-in
        of-ten-removals-at-once-exactly-one-counts credential-ids-that-are-no-list-are-40002
        a-credential-id-that-is-a-number-is-40002 a-deletion-without-credential-ids-is-40003`,
    },
    Messages: {
      'Its `url` is `{base_url}/m#` followed by one character (`r` registration, `a` authentication) and the `msg_id`: 128 random bits as base64url.':
        'a-url-is-the-base-url-m-r-and-128-random-bits a-sign-ins-url-is-told-apart-from-a-registrations',
      '`init` → `bind` (somebody has scanned; `svc_user`, before that `""`, says who: `Li Wei (138****5678)`) → `success` or `fail`;': `
        a-new-message-is-init-and-names-nobody svc-user-names-who-has-scanned-and-masks-the-number
        a-registration-goes-from-init-over-bind-to-success a-sign-in-by-code-succeeds`,
      "`init` and `bind` become `timeout` when the workspace's clock passes the expiry, 180 s after the request (*profile*).": `
        expires-at-is-as-far-away-as-the-profile-says a-message-nobody-scanned-is-init-until-it-expires
        *-can-be-scanned-and-answered-until-it-expires
        a-message-nobody-scanned-becomes-timeout-which-can-be-read-again
        a-message-that-was-scanned-and-not-answered-becomes-timeout-*`,
      'The first device that scans, or opens the push, is bound. Another one is refused with 40301 and changes nothing.': `
        a-second-phone-is-refused-with-40301-and-changes-nothing
        of-ten-phones-that-scan-at-once-exactly-one-is-bound`,
      '`success` and `fail` are reported **once** (*profile*): the first read delivers, later ones are 41001.':
        'a-final-result-is-told-as-often-as-the-profile-says a-failure-is-told-as-often-as-the-profile-says',
      '`HEAD` never consumes.': 'head-does-not-consume-a-result',
      'If several read at once, exactly one gets it.': 'of-ten-readers-at-once-exactly-one-gets-the-result',
      '`timeout` can be read repeatedly.': 'a-message-nobody-scanned-becomes-timeout-which-can-be-read-again',
      'An unread result stays for 10 minutes past the expiry;': 'a-result-that-was-not-read-is-there-after-the-expiry',
      "The endpoint of the other ceremony also answers 40402, and so does a request for another RP's message.":
        'the-other-ceremonys-endpoint-knows-no-such-message a-message-of-one-rp-does-not-exist-for-another',
      '`user_id` has a value with `success` alone; the result of a registration has none.':
        'the-result-of-a-sign-in-has-a-user-id-with-success-alone the-result-of-a-registration-has-no-user-id',
      '`error` of a failed message is a stable machine word, a colon and a sentence: `user_rejected: …`, `challenge_mismatch: …`; of any other it is `""`.':
        'a-new-message-is-init-and-names-nobody a-rejection-fails-the-message-with-user-rejected the-error-of-a-failed-message-is-a-word-a-colon-and-a-sentence',
      'Both result endpoints take `msg_id` or `id`; both and different is 40004, none or an empty one 40003.':
        'a-result-without-msg-id-is-40003 a-result-with-an-empty-msg-id-is-40003 a-result-can-be-asked-for-by-id a-sign-ins-result-can-be-asked-for-by-id *-results-msg-id-and-id-that-differ-are-40004',
    },
    'Users and credentials': {
      '`user_id`, `username`, `display_name`: 1 to 128 characters, `credential_name` 1 to 64 (*profile*); valid Unicode, no control characters; nothing is trimmed.': `
        *-is-as-long-as-the-profile-lets-it-and-no-longer an-empty-* a-control-character-in-*
        a-line-break-in-* half-a-character-in-a-body-*
        user-ids-that-differ-in-case-or-spaces-are-different-users a-user-id-*
        a-username-that-is-a-list-is-40002 the-phone-is-told-the-*`,
      '`display_name` defaults to `username`; a missing `credential_name` becomes something like `Quiet Otter 42`.':
        'without-display-name-the-phone-is-told-the-username without-credential-name-one-is-made-up',
      'An optional field that is `null` or `""` counts as missing (*profile* `empty_optional`).':
        '*-counts-as-the-profile-says',
      'The user handle inside the credential is an HMAC over the `user_id` under a key of the RP, so it does not reveal the user.':
        'the-user-handle-is-not-the-user-id-and-the-same-for-one-user-alone',
      'A registration excludes what the user already has; at most 20 credentials per user (*profile*, 40901).': `
        a-sign-in-allows-the-credentials-of-its-user-and-a-registration-excludes-them
        a-user-has-as-many-credentials-as-the-profile-says-one-more-is-40901`,
      'A sign-in of a user without credentials is refused with 40403.':
        'a-sign-in-of-a-user-without-credentials-is-40403',
      '(*Profile*: it can get a message that nobody can answer, which hides who has an account.)':
        'a-credential-that-is-removed-is-gone-*',
      '`method: push` reaches the device that holds a device-bound credential, and all devices of the account for a cloud credential.':
        'a-push-reaches-the-phone-that-holds-the-credential a-push-reaches-no-phone-of-another-account a-push-for-*',
      'A device that is off gets it when it is back, until the expiry.':
        'a-push-that-has-expired-is-no-longer-in-the-inbox a-push-reaches-the-phone-that-holds-the-credential',
      "Deleting does not count ids that are unknown, another user's or named twice, and none of these is an error; an empty list deletes 0; more than 100 ids is 40002.": `
        an-id-that-is-named-twice-is-removed-once-and-unknown-ids-do-not-count
        a-credential-of-another-user-is-not-removed a-hundred-credential-ids-that-are-unknown-delete-nothing
        more-than-100-credential-ids-are-40002`,
      '`user_id` is read from the body, else (also where it is `null`) from the query; both, and different, is 40004, none 40003.':
        'a-deletion-without-a-user-id-is-40003 a-deletion-takes-the-user-id-from-the-query-as-well a-user-id-in-body-and-query-that-differs-is-40004',
      'One RP sees nothing of another: a foreign message, credential or user is treated as one that does not exist.':
        'a-credential-of-one-rp-does-not-exist-for-another a-message-of-one-rp-does-not-exist-for-another',
    },
    'The order of judgement': {
      'Route, then signature, then parameters: an unsigned request to an unknown address is 40401, a badly signed one with bad parameters 401xx.': `
        an-unknown-path-is-40401 a-path-with-a-slash-at-its-end-is-40401 an-unsigned-request-*
        a-wrong-signature-with-bad-parameters-is-40104 the-signature-is-judged-before-*`,
      'Bodies are at most 64 KiB (41301).': 'a-body-of-6*',
      'One that is no JSON object, or names a member twice, is 40001.': 'a-body-that-* an-empty-body-is-40001',
    },
  },
  'interface/phone-app': {
    'The phone’s interface': {
      'All calls but the first carry `Authorization: Bearer <device_token>`.':
        'a-call-without-a-device-token-is-40110 a-wrong-device-token-is-40110',
      '| `POST /devices` | `{account: {name, phone, proof?}, device_name}` → `{device_id, device_token}`. Signs a phone in and makes the account on first use. |':
        'a-phone-that-signs-in-gets-a-device-id-and-a-device-token-and-no-cookie',
      '| `GET /inbox` | server-sent events, one `message` per push: `{msg_id, url, rp, expires_at}`.':
        'a-push-is-a-message-event-with-msg-id-url-rp-and-expires-at',
      "A message's url is scanned or pushed: the `msg_id` is the text after `#` without its first character.":
        'a-push-is-a-message-event-with-msg-id-url-rp-and-expires-at',
      '| `DELETE /devices/self` | signs out; the token is dead |': 'a-phone-that-signed-out-is-40110',
      "| `POST /messages/{msg_id}/bind` | `{}` (no body is 41501, an empty one 40001) → `{kind, rp: {id, name, origins}, user: {username, display_name}, credential_name, expires_at, public_key}`; `kind` is `registration` or `authentication`, `rp.id` the RP ID, `public_key` WebAuthn's creation or request options as JSON |": `
        bind-* a-bind-* the-options-ask-for-what-the-profile-says
        each-message-has-a-challenge-of-its-own-of-at-least-16-bytes a-message-that-does-not-exist-is-40402`,
      "| `POST /messages/{msg_id}/reject` | `{reason?}` → `{status}`; a word such as `no_matching_credential` becomes the message's `error`, with a colon and a sentence of the service; any other text stands behind `user_rejected:`, which is the word when absent |":
        'a-word-as-the-reason-of-a-rejection-becomes-the-error another-text-as-the-reason-*',
      'What was missed comes first, `Last-Event-ID` resumes,': 'last-event-id-resumes-the-inbox-behind-that-push',
      '| `GET /vault` | the cloud HSM: all sealed credentials of the account, oldest first → `{total, list: [{credential_id, etag, sealed}]}` |':
        'the-vault-lists-what-it-keeps-oldest-first',
      'the id is base64url of up to 1,023 bytes |': 'the-vault-takes-an-id-of-*',
      '| `PUT /vault/{credential_id}` | `{sealed}` → `{credential_id, etag}`;':
        'the-vault-keeps-what-was-put-into-it-for-every-phone-of-the-account',
      '`sealed` is base64url without padding, up to 72 KiB.': 'the-vault-takes-72-kib-* the-vault-takes-base64url-*',
      'with `If-Match` only that version |': 'a-deletion-with-if-match-deletes-only-that-version',
      '`phone` has 3 to 20 digits, with or without `+`; spaces, dots, hyphens and parentheses in it do not count.':
        'an-accounts-phone-with-*',
      '| `POST /messages/{msg_id}/attestation` | `{response, storage?: "chip" or "cloud"}` → `{status, error}`; `response` is a RegistrationResponseJSON |':
        'an-answer-and-a-rejection-are-told-the-status-of-the-message',
      '| `POST /messages/{msg_id}/assertion` | `{response}` → `{status, error}`; `response` is an AuthenticationResponseJSON |':
        'an-answer-and-a-rejection-are-told-the-status-of-the-message',
      '`storage` says where the user keeps the credential; when absent it is `chip`.': 'a-push-for-a-*',
      '| `GET /vault/{credential_id}` | one of them → `{credential_id, etag, sealed}`;':
        'the-vault-keeps-what-was-put-into-it-for-every-phone-of-the-account',
      'Needs `If-None-Match: *` (new) or `If-Match: <etag>` (replaced; with its quotes, else 40002), else 42801; 41201 when another phone was first. |':
        'a-put-*',
      '| `DELETE /vault/{credential_id}` | → `{deleted: true}`;': 'what-is-deleted-from-the-vault-is-gone',
    },
    'The life of an answer': {
      '`bind` with the same device again is harmless; with another one 40301.':
        'scanning-again-with-the-same-phone-is-harmless',
      'Only the bound device can answer or reject.':
        'a-phone-that-was-not-bound-cannot-answer-or-reject a-phone-that-did-not-scan-cannot-answer',
      'A body that is no JSON object is a 4000x, one without `response` 40003, and both leave the message as it was.':
        'an-answer-that-is-*',
      'Anything inside `response`, object or not, is judged, and the verdict is final.': `
        a-registration-with-* a-sign-in-with-* a-registration-that-fails-stores-no-credential
        a-credential-of-somebody-else-signs-nobody-in a-sign-in-whose-counter-does-not-grow-fails`,
      'The identical answer again gets the first verdict again; a different one 40903.':
        'of-ten-equal-answers-at-once-* an-answer-that-differs-from-the-first-is-40903',
      'When a message has expired unanswered: 41002.': `
        an-expired-message-can-no-longer-be-scanned-41002
        a-message-that-was-scanned-and-not-answered-becomes-timeout-*`,
    },
    'The account’s secret': {
      'binds the account when it is made; a later sign-in without it is 40110.':
        'an-account-without-its-proof-is-40110-and-with-it-another-phone-signs-in',
      'An account made without a proof is open, and has no vault: its calls are 40404.':
        'an-account-without-a-proof-has-no-vault',
    },
    'From a web page': {
      'App and control interfaces require `application/json` for bodies,':
        'a-body-that-is-not-application-json-is-41501',
      "this service's `Host`, and, where an `Origin` is present, this service's or an RP's; only those get CORS headers.":
        'a-host-that-is-* an-origin-that-is-* an-rps-origin-alone-gets-cors-headers',
      'There are no cookies:': 'a-phone-that-signs-in-gets-a-device-id-and-a-device-token-and-no-cookie',
    },
  },
  errors: { Errors: { '40501 This address does not answer to this method.': '*-is-40501' } },
  'interface/version-1': {
    'What stays as long as it is version 1': {
      '- **Codes**: each error code, its HTTP status and what it means;': '*-is-40501',
      'every reason `code` in `data.reason` with its `params`;': 'data-reason-where-present-is-a-code-and-params',
      "the statuses of a result; the machine word before the colon of a message's `error`.": `
        a-registration-goes-from-init-over-bind-to-success the-error-of-a-failed-message-is-a-word-a-colon-and-a-sentence
        a-message-nobody-scanned-becomes-timeout-which-can-be-read-again`,
      '- **The signature**: both header forms of signing, octet by octet.':
        'the-general-form-is-accepted the-short-form-is-accepted',
    },
  },
}

export const SENTENCES = Object.entries(TABLE).flatMap(([page, headings]) =>
  Object.entries(headings).flatMap(([heading, sentences]) =>
    Object.entries(sentences).map(([sentence, ids]) => ({ page, heading, sentence, ids: ids.trim().split(/\s+/) })),
  ),
)

const PATTERNS = SENTENCES.map(({ ids, ...says }) => {
  return { says, isOf: new RegExp(`^(${ids.join('|').replaceAll('*', '.+')})$`) }
})

export const sentenceFor = (id: string): CheckedCase['says'] => {
  const found = PATTERNS.find(({ isOf }) => isOf.test(id))
  if (found === undefined) throw new Error(`says.ts has no sentence for the case ${id}`)
  return found.says
}
