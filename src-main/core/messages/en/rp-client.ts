import type { RpClientProblem, RpClientProblemParams, SignedPart, SigningProblemParams } from '../../contract/errors.ts'
import { type Texts, textOf } from '../text.ts'

const signedParts: Readonly<Record<SignedPart, string>> = {
  method: 'method',
  path: 'path',
  query: 'query',
  header: 'header',
  signed_headers: 'list of signed headers',
  body_hash: 'hash of the body',
}

const quoted = (text: string | undefined): string => (text === undefined ? 'nothing' : JSON.stringify(text))

const quotedName = (field: string): string => `"${field}"`

const unsignable: Texts<SigningProblemParams> = {
  secret_key: 'the secret key must be valid Unicode text and not empty.',
  access_key_id: ({ got }) => `the access key ID must be visible ASCII without "/" and ","; got ${got}.`,
  scope_identifier: ({ got, commas }) =>
    `the scope identifier must be valid Unicode without control characters${commas ? '' : ' or commas'}; got ${got}.`,
  host: ({ got }) => `the host must be visible ASCII; got ${got}.`,
  method: ({ got }) => `the method must be a word of ASCII; got ${got}.`,
  target: ({ got }) => `path and query must be percent-encoded to visible ASCII; got ${got}.`,
  query: ({ got }) => `${got} in the query is not a percent-encoded octet.`,
  header_name: ({ got }) => `${got} is not the name of a header.`,
  header_value: ({ name, got }) => `the header ${name} must be valid Unicode without control characters; got ${got}.`,
}

/** The SDK uses these texts, too. */
export const rpClient: Texts<RpClientProblemParams> = {
  not_signable: ({ problem }) => `The RP client could not sign it: ${textOf(unsignable, problem)}`,
  not_unicode: ({ name: parameter, got }) =>
    `${quotedName(parameter)} must be valid Unicode; got ${JSON.stringify(got)}.`,
  not_answered: ({ host, why }) => `The RP client got no answer from ${host}: ${why}.`,
  answer_late: ({ host, ms }) => `The answer of ${host} was not whole within ${ms} ms.`,
  answer_too_large: ({ host, bytes }) => `The answer of ${host} has more than ${bytes} bytes.`,
  answer_no_envelope: ({ status }) => `The answer, HTTP ${status}, is not an envelope.`,
  answer_unfit: ({ field, expected: wanted, got }) =>
    `The answer does not fit: ${quotedName(field)} must be of type ${wanted}; got ${got}.`,
  signed_otherwise: ({ part, header, signed, computed }) =>
    `The ${header === undefined ? signedParts[part] : `${signedParts[part]} ${quotedName(header)}`} differs: the RP client signed ${quoted(signed)}, the service computed ${quoted(computed)}.`,
  signed_alike:
    'Both sides computed the same canonical request: the secret key or the scope is not the one of this access key.',
}

export const rpProblemText = (problem: RpClientProblem): string => textOf(rpClient, problem)
