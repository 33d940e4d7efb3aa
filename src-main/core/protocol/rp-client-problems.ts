import { type Coded, type ParamsOf, textOf } from './coded.ts'

type Got = { readonly got: string }
type SignedLines = { readonly signed?: string; readonly computed?: string }

/** Why HTTP or the header’s form cannot carry a part, in English. The secret is never repeated. */
const unsignable = {
  secret_key: 'the secret key must be valid Unicode text and not empty.',
  access_key_id: ({ got }: Got) => `the access key ID must be visible ASCII without "/" and ","; got ${got}.`,
  /** `commas`: allowed, as in the short form. */
  scope_identifier: ({ got, commas }: Got & { commas: boolean }) =>
    `the scope identifier must be valid Unicode without control characters${commas ? '' : ' or commas'}; got ${got}.`,
  host: ({ got }: Got) => `the host must be visible ASCII; got ${got}.`,
  method: ({ got }: Got) => `the method must be a word of ASCII; got ${got}.`,
  target: ({ got }: Got) => `path and query must be percent-encoded to visible ASCII; got ${got}.`,
  query: ({ got }: Got) => `${got} in the query is not a percent-encoded octet.`,
  header_name: ({ got }: Got) => `${got} is not the name of a header.`,
  header_value: ({ name, got }: Got & { name: string }) =>
    `the header ${name} must be valid Unicode without control characters; got ${got}.`,
}

export type SigningProblemParams = ParamsOf<typeof unsignable>

export type SigningProblem = Coded<SigningProblemParams>

const signedParts = {
  method: 'method',
  path: 'path',
  query: 'query',
  header: 'header',
  signed_headers: 'list of signed headers',
  body_hash: 'hash of the body',
}

export type SignedPart = keyof typeof signedParts

const quoted = (text: string | undefined): string => (text === undefined ? 'nothing' : JSON.stringify(text))

/** Problems of the RP client, in English. */
export const rpClientProblems = {
  not_signable: ({ problem }: { problem: SigningProblem }) =>
    `The RP client could not sign it: ${textOf(unsignable, problem)}`,
  not_unicode: ({ name: parameter, got }: { name: string; got: string }) =>
    `"${parameter}" must be valid Unicode; got ${JSON.stringify(got)}.`,
  not_answered: ({ host, why }: { host: string; why: string }) => `The RP client got no answer from ${host}: ${why}.`,
  answer_late: ({ host, ms }: { host: string; ms: number }) => `The answer of ${host} was not whole within ${ms} ms.`,
  answer_too_large: ({ host, bytes }: { host: string; bytes: number }) =>
    `The answer of ${host} has more than ${bytes} bytes.`,
  answer_no_envelope: ({ status }: { status: number }) => `The answer, HTTP ${status}, is not an envelope.`,
  answer_unfit: ({ field, expected: wanted, got }: { field: string; expected: string; got: string }) =>
    `The answer does not fit: "${field}" must be of type ${wanted}; got ${got}.`,
  /** `signed`, `computed`: absent if that side has no such line. */
  signed_otherwise: ({ part, header, signed, computed }: SignedLines & { part: SignedPart; header?: string }) =>
    `The ${signedParts[part]}${header === undefined ? '' : ` "${header}"`} differs: the RP client signed ${quoted(signed)}, the service computed ${quoted(computed)}.`,
  signed_alike:
    'Both sides computed the same canonical request: the secret key or the scope is not the one of this access key.',
}

export type RpClientProblemParams = ParamsOf<typeof rpClientProblems>

export type RpClientProblem = Coded<RpClientProblemParams>

export const rpProblemText = (problem: RpClientProblem): string => textOf(rpClientProblems, problem)
