import type { ExchangeFact } from '../../core/contract/events.ts'
import { UNSENDABLE_HEADERS } from '../../core/contract/resending.ts'
import { parseAuthorization, parseScope } from '../../core/protocol/authorization.ts'
import { fromUtf8Octets, utf8 } from '../../core/protocol/bytes.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { isHostName } from '../../core/protocol/host-name.ts'
import { MASK } from '../../core/protocol/log.ts'
import { DEVICE_TOKEN, SECRET_KEY } from './languages.ts'

type Scheme = 'http' | 'https'

export type Call = ReturnType<typeof toCall>

export type Signing = NonNullable<Call['signing']>

/** Lines that only a signed request has. */
export const ifSigned = ({ signing }: Call, lines: (signing: Signing) => readonly string[]): readonly string[] =>
  signing === undefined ? [] : lines(signing)

/** The command that runs the code, if it needs one, and the notes. */
export const headComments = ({ signing, hasToken, notes }: Call, mark: string, command?: string): readonly string[] => {
  const variable = signing === undefined ? hasToken && DEVICE_TOKEN : SECRET_KEY
  const run = command === undefined ? [] : [variable ? `${variable}=... ${command}` : command]
  return [...run, ...notes].map((line) => `${mark} ${line}`)
}

/** Replaces characters that could end a comment in any language or shell. */
const asComment = (text: string): string => text.replace(/[^ -[\]-~]+/g, '***')

/** Headers that clients write themselves, or whose values would be wrong in another request. */
const OWN = new Set<string>([...UNSENDABLE_HEADERS, 'host', 'accept-encoding', 'user-agent'])
const NO_TEXT = 'The body was no text: what was recorded of it is not what was sent.'
const MASKED = `The recording masks secrets as ${MASK}: put yours in its place.`
const NO_HOST = 'Its Host header names no host: put yours in the place of localhost.'
const LEFT_OUT = 'Signed headers that are no UTF-8 are left out.'
const OF_SIGNING = new Set(['x-svc-date', 'authorization'])

export const toCall = (exchange: ExchangeFact, scheme: Scheme) => {
  const { request, access_key_id, scope = '' } = exchange
  const header = (wanted: string): string | undefined =>
    request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const authorization = header('authorization') ?? ''
  const claim = exchange.interface === 'rp' ? parseAuthorization(authorization) : undefined
  const signed = claim?.ok === true ? claim.value : undefined
  /** A phone's request with a token, which the recording masks. */
  const hasToken = exchange.interface === 'app' && authorization.endsWith(MASK)
  const isSigned = (name: string): boolean => signed?.signedHeaders.includes(name.toLowerCase()) === true
  const sent = request.headers
    .filter(([name]) => !OWN.has(name.toLowerCase()))
    .filter(([name]) => (signed !== undefined || hasToken ? !OF_SIGNING.has(name.toLowerCase()) : true))
    .map(([name, value]): HeaderPair => [name, asText(value)])
  const headers = sent.filter(([name, value]) => value.isWellFormed() || !isSigned(name))
  const host = header('host') ?? 'localhost'
  const body = request.body.toWellFormed()
  /** For an RP's request with a readable signature. The code signs it again, because the old signature soon expires. */
  const signing = signed && {
    accessKeyId: signed.form === 'general' ? signed.accessKeyId : (access_key_id ?? 'ACCESS_KEY_ID'),
    identifier: parseScope(signed.form === 'general' ? signed.scope : scope) ?? '',
    isShort: signed.form === 'short',
    /** In addition to host and date. */
    signedHeaders: headers.filter(([name]) => isSigned(name)),
  }
  return {
    ...{ method: request.method, scheme, host: isHostName(host) ? host : 'localhost' },
    /** Exactly as on the request line. */
    target: request.target,
    /** Headers are texts, with lone surrogates for bytes that are not UTF-8, and without tokens and signatures. */
    ...{ headers, body, signing, hasToken },
    /** Differences from the recorded request, written as comments above the code. */
    notes: [
      ...(body.includes(MASK) ? [MASKED] : utf8(body).length === request.body_bytes ? [] : [NO_TEXT]),
      ...(isHostName(host) ? [] : [NO_HOST]),
      ...(headers.length === sent.length ? [] : [LEFT_OUT]),
    ].map(asComment),
  }
}

/** Recorded values have one character for each octet. Invalid UTF-8 becomes U+DC80 to U+DCFF, as in Python. */
const asText = (value: string): string => {
  if (/[^\0-\xff]/.test(value)) return value.toWellFormed()
  return (
    fromUtf8Octets(value) ?? value.replace(/[\x80-\xff]/g, (sign) => String.fromCharCode(0xdc00 + sign.charCodeAt(0)))
  )
}

/** The target, with percent-encoding for characters that some clients do not send unchanged. */
export const encodedTarget = (target: string): string =>
  target.replace(/%(?![0-9a-f]{2})|[^!$%&'()*+,./0-9:;=?@A-Z_a-z~-]/giu, (sign) =>
    encodeURIComponent(sign.toWellFormed()),
  )

/**
 * Selects definitions, in the order of `begins`, from a signer in docs/interface/signing. Copied code thus contains the
 * signer's own text and no second version.
 */
export const signerParts = (signer: string, begins: readonly RegExp[], indent = ''): string => {
  const parts = signer.split(new RegExp(`(?:\\n\\n|\\{\\n)(?=${indent}\\S)`))
  const found = begins.map((begin) => {
    const part = parts.find((each) => begin.test(each))
    if (part === undefined) throw new Error(`the signer has nothing that begins with ${begin}`)
    return part.replace(/^\n+|\s+$/g, '')
  })
  return found.join('\n\n')
}
