/** English texts of the mistakes. Likelier ones come first: the first that explains a signature is reported. */
export const signingMistakes = {
  'host-without-port': 'The host was signed without its port.',
  'host-with-port': 'The host was signed with a port that was not sent.',
  'host-another-name':
    'Another host was signed than the Host header that arrived. A proxy in between may have changed it.',
  'content-type-other':
    'Another Content-Type was signed than the one that arrived. HTTP libraries like to add a charset.',
  'header-left-out': 'A header stands in the list of signed headers, but its line was not signed.',
  'header-empty': 'A header was signed with an empty value. It may have been set only after signing.',
  'header-not-listed': 'A header line was signed whose name is not in the list of signed headers.',
  'headers-untrimmed': 'Header values were signed as they are: spaces at the ends were not removed, runs not made one.',
  'headers-repeated':
    'Of a header that stands more than once, not all values were signed, joined by commas in their order.',
  'headers-case': 'Header names were signed as they are written in the request, not in lower case.',
  'headers-order': 'The header lines were signed in the order in which they were sent, not sorted by name.',
  'headers-space': 'A space was signed after the colon of each header.',
  'headers-no-blank-line': 'The empty line between the headers and the list of their names is missing.',
  'headers-two-blank-lines': 'There is one empty line too many after the headers.',
  'list-separator': 'The list of signed headers was joined in another way than by ";".',
  'list-case': 'The list of signed headers was signed with capitals.',
  'list-other': 'Another list of signed headers was signed than the Authorization header names.',
  'body-missing': 'The body was not signed: the hash of nothing stands in its place.',
  'body-rewritten': 'You signed different JSON bytes than you sent. Sign the bytes you send.',
  'body-reordered': 'The same JSON with its members in another order was signed. Sign the very bytes you send.',
  'body-newline': 'The body was signed with another line end than it was sent with.',
  'body-of-another-kind': 'Another body was signed than the one that was sent.',
  'payload-unhashed': 'The body itself stands in the last line, not its SHA-256.',
  'payload-writing': 'The SHA-256 of the body was not written as lower-case hex.',
  'payload-twice': 'The body was hashed twice.',
  'method-lower-case': 'The method was signed in lower case.',
  'path-without-prefix': 'The path was signed without its prefix.',
  'path-trailing-slash': 'The path was signed with a slash at its end that was not sent, or without the one that was.',
  'path-with-query': 'The path was signed together with the query.',
  'path-whole-url': 'The whole address was signed instead of the path.',
  'path-encoding': 'The path was percent-encoded in another way (profile canonical_uri).',
  'path-missing': 'No path was signed.',
  'query-missing': 'The query was not signed.',
  'query-unsorted': 'The parameters of the query were not sorted by name.',
  'query-without-equals': 'A parameter without a value was signed without its "=".',
  'query-not-encoded': 'The names and values of the query were not percent-encoded.',
  'query-form-encoding': 'The query was encoded as a form: a space as "+".',
  'query-script-encoding': "The query was encoded as encodeURIComponent does: !'()* stayed as they are.",
  'query-lower-hex': 'The query was percent-encoded with lower-case hex digits.',
  'query-question-mark': 'The query was signed with its question mark.',
  'canonical-newline': 'The canonical request ends with a newline; it must not.',
  'canonical-crlf': 'The lines of the canonical request were joined with CR LF instead of LF.',
  'canonical-without-payload': 'The canonical request lacks its last line, the hash of the body.',
  'string-newline': 'The string to sign ends with a newline; it must not.',
  'string-crlf': 'The lines of the string to sign were joined in another way than with LF.',
  'string-algorithm': 'The string to sign begins with another algorithm name.',
  'string-line-missing': 'A line of the string to sign is missing.',
  'string-missing': 'The canonical request or its hash was signed itself, without a string to sign around it.',
  'request-unhashed': 'The canonical request itself stands in the string to sign, not its SHA-256.',
  'request-hash-writing': 'The SHA-256 of the canonical request was not written as lower-case hex.',
  'date-second-reading':
    'The date in the string to sign is not the X-Svc-Date that was sent: the clock was read twice.',
  'date-set-later': 'X-Svc-Date was set anew after signing: the clock was read twice.',
  'date-writing': 'The date in the string to sign is written otherwise than X-Svc-Date.',
  'scope-other': 'Another scope was signed than the service expects from this header.',
  'short-form-identifier':
    'The short form was signed with a scope identifier that the service does not try. Name it in the profile, short_form_identifiers.',
  'key-of-another': 'It was signed with the secret of another access key of this workspace.',
  'secret-with-space': 'The secret was used with a newline or a space at its end. It was probably read from a file.',
  'secret-trimmed': 'The secret was trimmed; the spaces at its ends belong to it.',
  'secret-quoted': 'The secret was used with quotes around it. It was probably read from a settings file.',
  'secret-decoded': 'The secret was decoded from base64 or hex first. It is used as it is, as text.',
  'secret-encoded': 'The secret was written as base64 or hex first. It is used as it is, as text.',
  'secret-case': 'The secret was used in upper or lower case throughout. Its case counts.',
  'secret-url-coded': 'The secret was percent-encoded or decoded. It is used as it is, as text.',
  'secret-hashed': 'The secret was hashed first. It is used as it is, as text.',
  'secret-with-id': 'The access key ID was used as the secret, or together with it.',
  'secret-empty': 'An empty secret was used. The setting that holds it is probably not read.',
  'key-derived':
    'A signing key was derived from the secret, date and scope as other HMAC schemes do. Here the secret itself is the key.',
  'mac-swapped': 'Key and text of the HMAC are swapped: the secret is the key, the string to sign the text.',
  'mac-plain-hash': 'A plain SHA-256 was computed, not HMAC-SHA256.',
} as const satisfies Readonly<Record<string, string>>

export type SigningMistake = keyof typeof signingMistakes

export const SIGNING_MISTAKES = Object.keys(signingMistakes) as readonly SigningMistake[]

/** Evidence for a cause if no mistake gives the signature, in English. */
export const signingEvidence = {
  body_changed: ({ seq }: { seq: number }) =>
    `The body was changed after it was signed, or this process has another secret: the same client signed well with this key in exchange ${seq}.`,
  other_secret: ({ key }: { key: string }) =>
    `Every line agrees; your RP probably has another secret for key "${key}". If it sent a body, that may have been changed after it was signed.`,
}
