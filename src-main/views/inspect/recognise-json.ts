import { errorNameOf } from '../../core/contract/errors.ts'
import type { JudgedStep } from '../../core/contract/judge/verdict.ts'
import { decodeAttestationObject } from '../../core/judge/attestation-object.ts'
import { decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { fromAnyBase64 } from '../../core/judge/base64.ts'
import type { StoredCredential } from '../../core/judge/ceremony-case.ts'
import { judgeAuthentication } from '../../core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../core/judge/judge-registration.ts'
import type { Verdict } from '../../core/judge/verdict.ts'
import { type Bytes, fromBase64url, fromUtf8 } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject, parseJsonOrNothing, withoutUndefined } from '../../core/protocol/json.ts'
import { parseMessageAddress } from '../../core/protocol/message-address.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { optionsIn } from './given-written.ts'
import {
  type Check,
  type Fact,
  factsIn,
  type InspectContext,
  type Inspection,
  inspectionOf,
  type Recognised,
  textOrUndefined,
  UNAVAILABLE,
  type VerdictInput,
  withVerdict,
} from './inspection.ts'
import { answerParts, bytesIn, clientDataPart } from './parts.ts'
import { coseKeyIn, toCose } from './public-key-in.ts'
import { authenticatorDataFacts } from './recognise-authenticator.ts'
import { recogniseAssetLinks, recogniseAssociation } from './recognise-web.ts'
import { recogniseRequest, recogniseResponse } from './signed-request.ts'
import { originsIn } from './whose-hash.ts'

type Recogniser = (value: JsonObject, bench: InspectContext) => Recognised | undefined | Promise<Recognised | undefined>

/** Anything unknown is plain JSON. */
export const inspectJson = async (value: unknown, bench: InspectContext): Promise<Recognised> => {
  if (Array.isArray(value)) {
    const links = recogniseAssetLinks(value)
    if (links !== undefined) return links
  }
  if (!isObject(value))
    return {
      kind: 'json',
      facts: factsIn({ is: Array.isArray(value) ? { code: 'values', params: { count: value.length } } : typeof value }),
    }
  for (const recognise of RECOGNISERS) {
    const found = await recognise(value, bench)
    if (found !== undefined) return found
  }
  return { kind: 'json', facts: [['members', Object.keys(value).slice(0, 40).join(', ')]] }
}

const answer: Recogniser = (value, bench) => {
  const found = answerIn(value)
  if (found === undefined) return undefined
  const { options, publicKey, origin, rpId, signCount } = value
  const stored = isObject(value.credential) && typeof value.credential.publicKey === 'string' ? value.credential : value
  const key = found === value ? undefined : bytesIn(stored, 'publicKey')
  const given = {
    ...bench.given,
    ...(isObject(options) || (isObject(publicKey) && found !== value) ? { options: options ?? publicKey } : {}),
    ...(typeof origin === 'string' ? { origins: [origin] } : {}),
    ...(typeof rpId === 'string' ? { rpId } : {}),
    ...(typeof signCount === 'number' ? { signCount } : {}),
    ...(key === undefined ? {} : { publicKey: key }),
  }
  return ceremonyFound(found, { ...bench, given })
}

const answerIn = (value: JsonObject): Answer | undefined => {
  if (!isObject(value.response)) return undefined
  if (isAnswer(value.response)) return value as Answer
  return isObject(value.response.response) && isAnswer(value.response.response) ? (value.response as Answer) : undefined
}

const isAnswer = (response: JsonObject): boolean =>
  typeof response.clientDataJSON === 'string' &&
  (typeof response.attestationObject === 'string' || typeof response.signature === 'string')

const options: Recogniser = (value) => {
  const own = optionsIn(value)
  if (own === undefined) return undefined
  if (Array.isArray(own.pubKeyCredParams)) {
    const algorithms = own.pubKeyCredParams.map((each) => (isObject(each) ? each.alg : each))
    return { kind: 'creation-options', facts: optionFacts(own, { algorithms: algorithms.join(', ') }) }
  }
  if (!('rpId' in own) && !('allowCredentials' in own)) return undefined
  const count = Array.isArray(own.allowCredentials) ? own.allowCredentials.length : 0
  const allowed = count === 0 ? ({ code: 'any' } as const) : String(count)
  return { kind: 'request-options', facts: optionFacts(own, { 'credentials allowed': allowed }) }
}

const optionFacts = (own: JsonObject, more: Parameters<typeof factsIn>[0]): readonly Fact[] => {
  const text = String(own.challenge)
  const length = fromBase64url(text)
  return factsIn({
    'RP ID': textOrUndefined(isObject(own.rp) ? own.rp.id : own.rpId),
    user: isObject(own.user) ? textOrUndefined(own.user.name) : undefined,
    challenge: length.ok ? { code: 'with_length', params: { text, count: length.value.length } } : text,
    ...more,
    extensions: isObject(own.extensions) ? Object.keys(own.extensions).join(', ') : undefined,
  })
}

const clientData: Recogniser = (value) => {
  const { type, challenge, origin } = value
  if (typeof type !== 'string' || !type.startsWith('webauthn.') || typeof challenge !== 'string') return undefined
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return {
    kind: 'client-data',
    facts: factsIn({ type, challenge, origin: String(origin) }),
    parts: [clientDataPart(bytes)],
  }
}

const envelope: Recogniser = (value) => {
  if (!isEnvelope(value)) return undefined
  const data = isObject(value.data) ? value.data : {}
  const name = errorNameOf(Number(value.code))
  const address = typeof data.url === 'string' ? parseMessageAddress(data.url) : undefined
  return {
    kind: 'envelope',
    facts: factsIn({
      code: `${value.code}${name === undefined ? '' : `, ${name}`}`,
      error: value.error === '' ? undefined : value.error,
      msg_id: address?.ok === true ? address.value.msgId : undefined,
      status: textOrUndefined(data.status),
      credentials: Array.isArray(data.list) ? String(data.list.length) : undefined,
    }),
  }
}

const jwk: Recogniser = ({ kty, crv, alg, keys, d }) => {
  if (Array.isArray(keys) && keys.every((key) => isObject(key) && 'kty' in key))
    return { kind: 'jwks', facts: [['keys', String(keys.length)]] }
  if (typeof kty !== 'string') return undefined
  if (d !== undefined) return { kind: 'private-key' }
  return { kind: 'jwk', facts: [['key', [kty, crv, alg].filter((part) => part !== undefined).join(', ')]] }
}

const files: Recogniser = (value, bench) => {
  if (isObject(value.log) && Array.isArray(value.log.entries)) return harFound(value.log.entries, bench)
  if (typeof value.openapi === 'string' && isObject(value.paths))
    return { kind: 'openapi', facts: [['paths', String(Object.keys(value.paths).length)]] }
  if (Array.isArray(value.cases) && isObject(value.measured) && typeof value.base_url === 'string')
    return { kind: 'check-recording', facts: factsIn({ service: value.base_url, cases: String(value.cases.length) }) }
  if (typeof value.kind === 'string' && Number.isInteger(value.seq) && typeof value.workspace === 'string')
    return { kind: 'event', facts: factsIn({ kind: value.kind, number: String(value.seq) }) }
  if (Array.isArray(value.steps)) return { kind: 'scenario', facts: [['steps', String(value.steps.length)]] }
  return undefined
}

const EXTENSIONS: ReadonlySet<string> = new Set([
  ...['credProps', 'prf', 'largeBlob', 'appid', 'appidExclude', 'credProtect', 'hmacCreateSecret', 'minPinLength'],
  'uvm',
])

const extensionResults: Recogniser = (value) => {
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => EXTENSIONS.has(name))
    ? { kind: 'extension-results', facts: names.map((name): Fact => [name, JSON.stringify(value[name])]) }
    : undefined
}

const credential: Recogniser = async (value, bench) => {
  const { id, type, transports, publicKey, response } = value
  const name = [id, value.credentialId, value.credentialID, value.credential_id].find(
    (each) => typeof each === 'string',
  )
  if (typeof name !== 'string' || response !== undefined) return undefined
  const facts = { id: name, transports: Array.isArray(transports) ? transports.join(', ') : undefined }
  const key = publicKey ?? value.credentialPublicKey ?? value.public_key
  if (typeof key === 'string') {
    const inner = await bench.inspect(key, ['publicKey'])
    const count = value.signCount ?? value.counter ?? value.sign_count
    return {
      kind: 'credential-record',
      facts: factsIn({ ...facts, signCount: typeof count === 'number' ? String(count) : undefined }),
      within: inner === undefined ? [] : [inner],
    }
  }
  return type === 'public-key' ? { kind: 'credential-descriptor', facts: factsIn(facts) } : undefined
}

/** FIDO Metadata Statement section 4. */
const metadata: Recogniser = ({ description, attestationTypes, aaguid, authenticatorVersion }) =>
  typeof description === 'string' && Array.isArray(attestationTypes)
    ? {
        kind: 'metadata-statement',
        facts: factsIn({
          ...{ description, aaguid: textOrUndefined(aaguid), version: String(authenticatorVersion) },
          attestation: attestationTypes.join(', '),
        }),
      }
    : undefined

const workspaceFile: Recogniser = ({ format, name, version }) =>
  format === 'handset-workspace'
    ? { kind: 'workspace-file', facts: factsIn({ name: textOrUndefined(name), version: String(version) }) }
    : undefined

const RECOGNISERS: readonly Recogniser[] = [
  ...[answer, options, clientData, envelope, jwk, workspaceFile, files, metadata, recogniseAssociation],
  ...[extensionResults, credential],
]

const MAX_ENTRIES = 100
/** An explanation takes long, and a wrong secret makes every signature wrong. */
const MAX_EXPLAINED = 3

/** Inspects each exchange of this interface as if it had been pasted; the others are only counted. */
const harFound = async (entries: readonly unknown[], bench: InspectContext): Promise<Recognised> => {
  const own = entries.filter(isObject).map(messagesOf).filter(isOurs)
  const within: Inspection[] = []
  const checks: Check[] = []
  for (const { name, request, response } of own.slice(0, MAX_ENTRIES)) {
    await bench.pause?.()
    const refused = checks.filter(({ outcome }) => outcome === 'failed').length
    const { accessKey: _, ...unsigned } = bench.given
    const looking = { ...bench, given: refused < MAX_EXPLAINED ? bench.given : unsigned }
    const asked = await recogniseRequest(request, looking)
    const answered = await recogniseResponse(response, looking)
    const both = [asked, answered].filter((found) => found !== undefined).map((found) => inspectionOf(found, []))
    const [first, ...rest] = both
    if (first === undefined) continue
    within.push({ ...first, within: [...first.within, ...rest] })
    checks.push({ name, outcome: first.verdict === undefined ? 'skipped' : OUTCOMES[first.verdict] })
  }
  return {
    kind: 'har',
    facts: factsIn({
      exchanges: String(entries.length),
      'of this interface': own.length === 0 ? undefined : String(own.length),
    }),
    ...withVerdict(checks),
    missing: [...new Set(within.flatMap(({ missing }) => missing))],
    within,
  }
}

const OUTCOMES = { verified: 'passed', refused: 'failed' } as const

type Messages = { readonly name: string; readonly request: string; readonly response: string }

const messagesOf = ({ request, response }: JsonObject): Messages => {
  const asked = isObject(request) ? request : {}
  const answered = isObject(response) ? response : {}
  const posted = isObject(asked.postData) ? asked.postData : {}
  const [, target = ''] = /^https?:\/\/[^/?#]+([^#]*)/.exec(textOrUndefined(asked.url) ?? '') ?? []
  const first = `${textOrUndefined(asked.method) ?? ''} ${target === '' ? '/' : target}`
  const status = String(answered.status)
  return {
    name: `${first} · ${status}`,
    request: message(`${first} HTTP/1.1`, asked.headers, textOrUndefined(posted.text) ?? ''),
    response: message(`HTTP/1.1 ${status}`, answered.headers, contentOf(answered.content)),
  }
}

const message = (first: string, headers: unknown, body: string): string =>
  [first, ...(Array.isArray(headers) ? headers.filter(isObject).flatMap(headerLine) : []), '', body].join('\r\n')

/** Converts HTTP/2 pseudo-headers, which begin with a colon; only the host is part of the signature. */
const headerLine = ({ name, value }: JsonObject): readonly string[] => {
  const known = name === ':authority' ? 'Host' : (textOrUndefined(name) ?? '')
  return known.startsWith(':') ? [] : [`${known}: ${textOrUndefined(value) ?? ''}`.replace(/[\r\n]+/g, ' ')]
}

const contentOf = (content: unknown): string => {
  if (!isObject(content)) return ''
  const text = textOrUndefined(content.text) ?? ''
  if (content.encoding !== 'base64') return text
  const bytes = fromAnyBase64(text)
  return (bytes === undefined ? undefined : fromUtf8(bytes)) ?? ''
}

const isOurs = ({ request, response }: Messages): boolean => {
  if (/^Authorization: SVC-/im.test(request)) return true
  const answer = parseJsonOrNothing(response.slice(response.indexOf('\r\n\r\n') + 4))
  return isObject(answer) && isEnvelope(answer)
}

const isEnvelope = (value: JsonObject): value is JsonObject & { readonly error: string } =>
  Number.isInteger(value.code) && typeof value.error === 'string' && 'data' in value

/** PublicKeyCredential as JSON, of either ceremony. */
type Answer = JsonObject & { readonly response: JsonObject }

const ceremonyFound = async (answer: Answer, bench: InspectContext): Promise<Recognised> => {
  const { response } = answer
  const isRegistration = typeof response.attestationObject === 'string'
  const data = bytesIn(response, 'authenticatorData') ?? attested(bytesIn(response, 'attestationObject'))
  const own = originsIn(bytesIn(response, 'clientDataJSON'))
  const asked = optionsIn(bench.given.options)
  // The origin that the answer claims may explain a hash, but must not affect the verdict.
  const hinted = { ...bench, given: { ...bench.given, origins: [...(bench.given.origins ?? []), ...own] } }
  const missing: readonly VerdictInput[] = [
    ...(asked === undefined ? (['options'] as const) : []),
    ...(bench.given.origins === undefined ? (['origin'] as const) : []),
    ...(isRegistration || toCose(bench.given.publicKey) !== undefined ? [] : (['public-key'] as const)),
  ]
  const found = {
    kind: isRegistration ? 'registration-response' : 'authentication-response',
    facts: [
      ['id', String(answer.id)],
      ...own.map((origin) => ['origin', origin] as const),
      ...(data === undefined ? [] : await authenticatorDataFacts(data, hinted)),
    ],
    parts: answerParts(answer),
    missing,
  } as const
  if (missing.length > 0 || asked === undefined) return found
  const verdict = await (isRegistration ? judgeNew(answer, asked, bench) : judgeKnown(answer, asked, bench))
  return { ...found, ...withVerdict(verdict.steps.map(checkOf)) }
}

const attested = (object: Bytes | undefined): Bytes | undefined =>
  object === undefined ? undefined : decodeAttestationObject(object).value?.authenticatorData

const rpIdOf = (asked: JsonObject, { given }: InspectContext): string => {
  const rpId = isObject(asked.rp) ? asked.rp.id : asked.rpId
  // WebAuthn §5.1.3: the default RP ID is the domain of the origin.
  return given.rpId ?? (typeof rpId === 'string' ? rpId : (URL.parse(given.origins?.[0] ?? '')?.hostname ?? ''))
}

const judgeNew = (response: Answer, asked: JsonObject, bench: InspectContext): Promise<Verdict<unknown>> => {
  const options = { pubKeyCredParams: [], ...asked } as unknown as CreationOptionsJson
  const roots = bench.given.roots ?? []
  return judgeRegistration(
    {
      ...{ response, options, roots, now: bench.now, rpId: rpIdOf(asked, bench), origins: bench.given.origins ?? [] },
      attestation: roots.length > 0 ? 'require-trusted' : 'accept-any',
      credentialKnown: () => false,
    },
    bench.crypto,
  )
}

const judgeKnown = (response: Answer, asked: JsonObject, bench: InspectContext): Promise<Verdict<unknown>> => {
  const options = { ...asked, rpId: rpIdOf(asked, bench) } as unknown as RequestOptionsJson
  const credential = storedCredential(response, bench)
  const handle = response.response.userHandle
  return judgeAuthentication(
    {
      ...{ response, options, rpId: options.rpId, origins: bench.given.origins ?? [], counterRegression: 'fail' },
      credential: () => credential,
      // The expected user is unknown.
      expectedUserHandle: typeof handle === 'string' ? handle : '',
    },
    bench.crypto,
  )
}

/** The record that an RP would have stored, with the backup flags from the response itself. */
const storedCredential = ({ response }: Answer, { given }: InspectContext): StoredCredential | undefined => {
  const publicKey = toCose(given.publicKey)
  const key = publicKey === undefined ? undefined : coseKeyIn(publicKey)
  if (publicKey === undefined || key === undefined) return undefined
  const data = bytesIn(response, 'authenticatorData')
  const flags = data === undefined ? undefined : decodeAuthenticatorData(data).value?.flags
  return {
    publicKey,
    algorithm: key.algorithm,
    signCount: given.signCount ?? 0,
    backupEligible: flags?.backupEligible ?? false,
    backupState: flags?.backupState ?? false,
    userHandle: typeof response.userHandle === 'string' ? response.userHandle : '',
  }
}

/** A check that this platform cannot compute neither passes nor fails. */
const isUnavailable = ({ word, checks = [] }: JudgedStep): boolean => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  return word === UNAVAILABLE && failed.every((check) => check.word === UNAVAILABLE)
}

const checkOf = (step: JudgedStep): Check => {
  const { id, outcome, word, expected, received, at } = step
  return {
    name: id,
    outcome: outcome === 'failed' && isUnavailable(step) ? 'skipped' : outcome,
    ...withoutUndefined({ word, expected, received, at }),
  }
}
