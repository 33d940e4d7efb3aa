import type { OptionTable } from '../options.ts'

export const showOptions = {
  html: { value: 'FILE', help: 'Write it as one HTML file that needs nothing else.' },
  last: { value: 'N', not: ['html'], help: 'Only the last N events; those before them are not read.' },
  har: { value: 'FILE', help: 'Write its exchanges as an HTTP Archive, for browsers and proxies.' },
  json: { help: 'Print one line of JSON for each event.' },
} as const satisfies OptionTable

export const inspectOptions = {
  options: { value: 'FILE', help: 'The WebAuthn options that it answers, as JSON.' },
  origin: { value: 'URL', many: true, help: 'Where the browser should have been.' },
  'rp-id': { value: 'ID', help: 'The RP ID; default that of the options.' },
  'public-key': {
    value: 'KEY',
    help: 'The key that should have signed: COSE, PEM, DER or a certificate, in a file or as base64url or hex.',
  },
  'sign-count': { value: 'N', help: 'The counter that was stored with that key; default 0.' },
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key that should have signed an HTTP request.' },
  roots: { value: 'FILE', help: 'Certificates that are trusted, PEM: an attestation must lead to one of them.' },
  json: { help: 'Print all that was found as one line of JSON.' },
} as const satisfies OptionTable

export const signOptions = {
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key that signs.' },
  header: { value: 'NAME:VALUE', many: true, help: 'A further header, which is signed as well.' },
  body: { value: 'TEXT', not: ['body-file'], help: 'The body; none when absent.' },
  'body-file': {
    value: 'FILE',
    not: ['body'],
    help: 'Read the body from this file, byte by byte; - is the standard input.',
  },
  scope: { value: 'IDENTIFIER', help: 'What stands behind fido-server/ in the scope; nothing when absent.' },
  short: { help: 'The short form, which names neither key nor scope.' },
  date: { value: 'YYYYMMDDTHHMMSSZ', help: 'X-Svc-Date; now when absent.' },
  explain: { not: ['curl', 'json'], help: 'Print the canonical request and the string to sign, too.' },
  curl: { not: ['explain', 'json'], help: 'Print it as a command for curl.' },
  json: { not: ['explain', 'curl'], help: 'Print one line of JSON, with everything that was signed.' },
} as const satisfies OptionTable

export const faultsOptions = { json: { help: 'Print the table as JSON.' } } as const satisfies OptionTable
