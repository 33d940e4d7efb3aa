import type { AuthenticationCase, RegistrationCase } from '../../../src-main/core/judge/ceremony-case.ts'
import { concat, toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import type { RegistrationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import type { Dice } from '../../robustness/dice.ts'
import { type AuthenticationParts, authentication } from '../ceremony/authentication.ts'
import { type Cbor, type CborPairs, cbor, map } from '../ceremony/cbor.ts'
import { extension, rootCertificate } from '../ceremony/certificates.ts'
import { context, octets, sequence, tlv } from '../ceremony/der.ts'
import { coseBytes, type TestKey, testKey, withMember } from '../ceremony/keys.ts'
import {
  attestationObjectOf,
  CHALLENGE,
  FLAG,
  ORIGIN,
  type RegistrationParts,
  registration,
  type SignedParts,
  selfStatement,
  sha256,
} from '../ceremony/registration.ts'
import {
  androidKeyStatement,
  appleStatement,
  type Certified,
  packedStatement,
  TPM_NAMES,
  tpmAlternativeName,
  tpmExtensions,
  tpmStatement,
  u2fParts,
} from '../ceremony/statements.ts'
import { changeCertificate, changeChain } from './certificate-changes.ts'
import { anyCbor, changeMap, damageBytes, oddHead } from './damage.ts'

/** A ceremony that was good until one thing, sometimes two, were changed, and where. */
export type Mutated = { readonly kind: string; readonly input: RegistrationCase | AuthenticationCase }

const ALGORITHMS = [-7, -7, -7, -7, -35, -36, -257, -37, -8, -48, -47, -53] as const
const CREATE = { type: 'webauthn.create', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false }
const GET = { ...CREATE, type: 'webauthn.get' }

export const mutatedCeremony = (dice: Dice): Mutated =>
  dice.once(3) ? mutatedAuthentication(dice) : mutatedRegistration(dice)

/** One root for all: it is signed again each time it is made. */
const ROOT = rootCertificate()

const FLAGS = Object.values(FLAG)

const changeFlags = (good: number, dice: Dice): number =>
  good ^ dice.pick(FLAGS) ^ (dice.once(3) ? dice.pick(FLAGS) : 0)

const FORMATS = [
  ...(['none', 'packed', 'packed', 'packed-x5c', 'packed-x5c', 'fido-u2f', 'tpm', 'apple', 'android-key'] as const),
]
type FormatName = (typeof FORMATS)[number]

/** The parts of a good registration in each format; the certificate and its chain are what a case may change. */
const GOOD: Readonly<Record<FormatName, (changes: Certified) => Partial<RegistrationParts>>> = {
  none: () => ({ format: 'none', statement: () => map() }),
  packed: () => ({}),
  'packed-x5c': (changes) => ({ statement: packedStatement(changes) }),
  'fido-u2f': u2fParts,
  tpm: (changes) => ({ format: 'tpm', statement: tpmStatement(changes) }),
  apple: (changes) => ({ format: 'apple', statement: appleStatement(changes) }),
  // The library wants the root in the chain of an Android key, so it is there unless a case changes the chain.
  'android-key': (changes) => ({
    format: 'android-key',
    statement: androidKeyStatement({ chain: (leaf) => [leaf(), ROOT], ...changes }),
  }),
}

const EC_ONLY: ReadonlySet<FormatName> = new Set(['fido-u2f', 'tpm', 'android-key', 'apple'])

const mutatedRegistration = (dice: Dice): Mutated => {
  const format = dice.pick(FORMATS)
  const key = testKey(EC_ONLY.has(format) ? -7 : dice.pick(ALGORITHMS))
  const trusted = dice.once(4) ? { attestation: 'require-trusted' as const, roots: [ROOT] } : {}
  const base: Partial<RegistrationParts> = { key, cose: key.cose, case: trusted }
  const certified = format !== 'none' && format !== 'packed'
  const good = GOOD[format]({})
  const kinds: readonly (readonly [string, () => Partial<RegistrationParts>])[] = [
    ['unchanged', () => ({})],
    ['client data', () => ({ clientDataText: changeClientData(CREATE, dice) })],
    ['flags', () => ({ flags: changeFlags(FLAG.UP | FLAG.UV | FLAG.AT, dice), ...verification(dice) })],
    ['authenticator data', () => authenticatorDataChange(dice)],
    ['public key', () => ({ cose: changeKey(key, dice) })],
    ['statement', () => ({ statement: changedStatement(good, dice) })],
    ['statement value', () => valueChange(format, dice)],
    ['attestation object', () => ({ attestationObject: changedObject(dice) })],
    ['answer', () => ({ response: (built) => changeResponse(built, dice) })],
    ['options', () => optionChange(dice)],
    ['octets', () => ({ response: (built) => damagedMember(built, dice) })],
    ...(certified
      ? ([
          ['certificate', () => GOOD[format]({ certificate: changeCertificate(goodExtensions(format), dice) })],
          ['chain', () => GOOD[format]({ chain: (leaf) => changeChain(leaf, { dice, root: ROOT }) })],
        ] as const)
      : []),
  ]
  const [kind, change] = dice.pick(kinds)
  return { kind: `${format}: ${kind}`, input: registration({ ...base, ...good, ...change() }) }
}

const goodExtensions = (format: FormatName) => (format === 'tpm' ? tpmExtensions() : [extension.constraints(false)])

const verification = (dice: Dice): Partial<RegistrationParts> =>
  dice.once(2) ? { options: { authenticatorSelection: { userVerification: 'required' } } } : {}

const ED = FLAG.UP | FLAG.UV | FLAG.AT | FLAG.ED

const authenticatorDataChange = (dice: Dice): Partial<RegistrationParts> =>
  dice.pick<() => Partial<RegistrationParts>>([
    () => ({ rpIdHash: damageBytes(sha256(), dice).slice(0, 32) }),
    () => ({ signCount: dice.below(2 ** 32) }),
    () => ({ aaguid: dice.bytes(16) }),
    () => ({ credentialId: dice.bytes(dice.pick([0, 1, 16, 64, 1023, 1024, 2000])) }),
    () => ({ afterAuthenticatorData: dice.bytes(1 + dice.below(3)) }),
    () => ({ flags: ED, extensions: cbor(anyCbor(dice)) }),
    () => ({ flags: ED, extensions: cbor(map(['credProtect', 2], ['ext', anyCbor(dice)])) }),
    () => ({ flags: ED, extensions: cbor(map(['credBlob', true])) }),
    () => ({
      attestationObject: (built) =>
        attestationObjectOf({ ...built, authenticatorData: damageBytes(built.authenticatorData, dice) }),
    }),
  ])()

const changeKey = (key: TestKey, dice: Dice): CborPairs => {
  const labels = key.cose.pairs.map(([label]) => Number(label))
  const isEc = key.cose.pairs[0]?.[1] === 2
  return dice.pick<() => CborPairs>([
    () => ({ pairs: changeMap(key.cose.pairs, dice) }),
    () => withMember(key.cose, dice.pick(labels), undefined),
    () => withMember(key.cose, 3, dice.pick([-7, -8, -35, -257, -65535, 0, 5])),
    () => withMember(key.cose, 1, dice.pick([1, 2, 3, 4, 7])),
    () => withMember(key.cose, -1, dice.pick([1, 2, 3, 6, 7, 8])),
    () => ({ pairs: [...key.cose.pairs, [-4, dice.bytes(32)]] }),
    () => testKey(-7, 'other').cose,
    () => (isEc ? withMember(key.cose, -3, dice.once(2)) : key.cose),
    () => (isEc ? withMember(key.cose, -2, dice.bytes(coseBytes(key.cose, -2).length)) : key.cose),
  ])()
}

const pairsOf = (statement: Cbor): CborPairs['pairs'] =>
  typeof statement === 'object' && statement !== null && 'pairs' in statement ? statement.pairs : []

const changedStatement =
  (good: Partial<RegistrationParts>, dice: Dice) =>
  (signed: SignedParts): Cbor => {
    const statement = good.statement?.(signed) ?? selfStatement(signed)
    const pairs = pairsOf(statement)
    const withSignature = pairs.some(([key]) => key === 'sig')
    if (withSignature && dice.once(2)) {
      return {
        pairs: pairs.map(([key, value]) =>
          key === 'sig' && value instanceof Uint8Array ? [key, changeSignature(value, dice)] : [key, value],
        ),
      }
    }
    return dice.once(8) ? { raw: oddHead(pairs, dice) } : { pairs: changeMap(pairs, dice) }
  }

/** What a format's own rules are about, changed before it is signed. */
const valueChange = (format: FormatName, dice: Dice): Partial<RegistrationParts> => {
  if (format === 'tpm') {
    return {
      format,
      statement: tpmStatement(
        dice.pick([
          { magic: dice.below(2 ** 32) },
          { type: dice.pick([0x8018, 0x8014, 0x8017, 0]) },
          { extraData: dice.bytes(32) },
          { pubArea: (good: Uint8Array) => damageBytes(good, dice) },
          { name: (good: Uint8Array) => damageBytes(good, dice) },
          { afterCertInfo: dice.bytes(2) },
          { nameAlgorithm: dice.pick([4, 11, 12, 13, 0x12]) },
          { certificate: { extensions: tpmExtensions({ purpose: '2.23.133.8.1' }) } },
          {
            certificate: { extensions: tpmExtensions({ san: tpmAlternativeName(...TPM_NAMES.slice(dice.below(4))) }) },
          },
        ]),
      ),
    }
  }
  if (format === 'fido-u2f') return { ...u2fParts(), aaguid: dice.bytes(16) }
  if (format === 'apple')
    return { format, statement: appleStatement({ nonce: damageBytes(sequence(context(1, octets(sha256()))), dice) }) }
  if (format === 'packed-x5c')
    return { statement: packedStatement({ attestationKey: testKey(dice.pick([-35, -257, -8, -37]), 'attestation') }) }
  if (format === 'packed')
    return { statement: (signed) => selfStatement({ ...signed, clientDataHash: sha256(dice.bytes(1)) }) }
  return { format: dice.pick(['None', 'compound', '', 'android-safetynet', 'packed']), statement: () => map() }
}

const changedObject =
  (dice: Dice) =>
  (built: Parameters<typeof attestationObjectOf>[0]): Uint8Array<ArrayBuffer> => {
    const good: CborPairs['pairs'] = [
      ['fmt', built.format],
      ['attStmt', built.statement],
      ['authData', built.authenticatorData],
    ]
    return dice.pick<() => Uint8Array<ArrayBuffer>>([
      () => cbor({ pairs: changeMap(good, dice) }),
      () => oddHead(good, dice),
      () => concat(cbor({ pairs: good }), dice.bytes(1 + dice.below(4))),
      () => damageBytes(cbor({ pairs: good }), dice),
      () => cbor(anyCbor(dice)),
    ])()
  }

const optionChange = (dice: Dice): Partial<RegistrationParts> =>
  dice.pick<Partial<RegistrationParts>>([
    { options: { pubKeyCredParams: [{ type: 'public-key', alg: -7 }] } },
    { options: { challenge: 'AAAA' } },
    { case: { rpId: 'example.org' } },
    { case: { origins: ['https://example.org'] } },
    { case: { origins: ['https://example.org', ORIGIN] } },
    { case: { topOrigins: ['https://a.example'] } },
  ])

const damagedMember = (built: RegistrationResponseJson, dice: Dice): unknown => {
  const member = dice.pick(['clientDataJSON', 'attestationObject'] as const)
  const octetsOf = Uint8Array.from(Buffer.from(built.response[member], 'base64url'))
  return { ...built, response: { ...built.response, [member]: toBase64url(damageBytes(octetsOf, dice)) } }
}

const mutatedAuthentication = (dice: Dice): Mutated => {
  const key = testKey(dice.pick(ALGORITHMS))
  const good = FLAG.UP | FLAG.UV
  const kinds: readonly (readonly [string, () => Partial<AuthenticationParts>])[] = [
    ['unchanged', () => ({})],
    ['client data', () => ({ clientDataText: changeClientData(GET, dice), ...frames(dice) })],
    [
      'flags',
      () => ({
        flags: changeFlags(good, dice),
        ...(dice.once(2) && { options: { userVerification: 'required' as const } }),
      }),
    ],
    [
      'counter',
      () => ({
        signCount: dice.below(16),
        stored: { signCount: dice.below(16) },
        case: { counterRegression: dice.pick(['fail', 'accept'] as const) },
      }),
    ],
    [
      'authenticator data',
      () =>
        dice.pick([
          { rpIdHash: dice.bytes(32) },
          { afterCounter: dice.bytes(3) },
          { flags: good | FLAG.ED, afterCounter: cbor(anyCbor(dice)) },
          { flags: good | FLAG.ED, afterCounter: cbor(map(['ext', anyCbor(dice)])) },
        ]),
    ],
    ['signature', () => ({ signature: (signature) => changeSignature(signature, dice) })],
    [
      'stored credential',
      () => ({
        stored: dice.pick([
          { backupEligible: true },
          { publicKey: cbor(changeKey(key, dice)) },
          { userHandle: 'dXNlci0y' },
        ]),
      }),
    ],
    ['answer', () => ({ response: (built) => changeResponse(built, dice) })],
    [
      'options',
      () => ({
        ...dice.pick<Partial<AuthenticationParts>>([
          { options: { challenge: 'AAAA' } },
          { options: { allowCredentials: [] } },
          { case: { rpId: 'example.org' } },
          { case: { origins: [] } },
        ]),
      }),
    ],
  ]
  const [kind, change] = dice.pick(kinds)
  return { kind: `authentication: ${kind}`, input: authentication({ key, ...change() }) }
}

const frames = (dice: Dice): Partial<AuthenticationParts> =>
  dice.once(2) ? { case: { topOrigins: ['https://a.example'] } } : {}

type Members = Readonly<Record<string, unknown>>

/** Client data with one thing changed, as the octets that are signed. */
const changeClientData = (good: Members, dice: Dice): Uint8Array<ArrayBuffer> => {
  const json = (members: unknown): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(members))
  const odd = () =>
    dice.pick<unknown>([undefined, null, true, 0, '', [], {}, 'x', ['webauthn.get'], { status: 'present' }])
  const text = JSON.stringify(good)
  return dice.pick<() => Uint8Array<ArrayBuffer>>([
    () => json({ ...good, type: dice.pick(['webauthn.get', 'webauthn.create', 'payment.get', odd()]) }),
    () =>
      json({ ...good, challenge: dice.pick([`${CHALLENGE}=`, CHALLENGE.slice(1), CHALLENGE.toLowerCase(), odd()]) }),
    () => json({ ...good, challenge: CHALLENGE.replaceAll('-', '+').replaceAll('_', '/') }),
    () =>
      json({ ...good, origin: dice.pick([`${ORIGIN}/`, ORIGIN.toUpperCase(), 'null', 'https://localhost', odd()]) }),
    () => json({ ...good, crossOrigin: dice.pick([true, 'true', 1, odd()]) }),
    () => json({ ...good, topOrigin: dice.pick([ORIGIN, 'https://a.example', odd()]) }),
    () => json({ ...good, crossOrigin: true, topOrigin: dice.pick([ORIGIN, 'https://a.example', odd()]) }),
    () =>
      json({
        ...good,
        tokenBinding: dice.pick([
          { status: 'present', id: 'AA' },
          { status: 'supported' },
          { status: 'not-supported' },
          { status: 'notSupported' },
          odd(),
        ]),
      }),
    () => json({ ...good, extra: odd() }),
    () => json([good]),
    () => utf8(JSON.stringify(good, null, 2)),
    () => utf8(text.replace('{', '{"type":"webauthn.get",')),
    () => utf8(text.replace(/}$/, ',"origin":"https://evil.example"}')),
    () => utf8(text.replace('"type"', '"t\\u0079pe"')),
    () => concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(text)),
    () => concat(utf8(text.slice(0, -1)), utf8(',"x":"'), Uint8Array.of(0xff), utf8('"}')),
    () => concat(utf8(text), Uint8Array.of(0)),
    () => damageBytes(utf8(text), dice),
  ])()
}

type Json = Readonly<Record<string, unknown>>

/** The JSON around a good ceremony with one thing changed; nothing of it is signed. */
const changeResponse = (good: Json & { readonly response: Json }, dice: Dice): unknown => {
  const odd = () => dice.pick<unknown>([undefined, null, 0, '', 'AAAA', 'A', [], {}, true])
  const within = (changes: Json) => ({ ...good, response: { ...good.response, ...changes } })
  const member = dice.pick(Object.keys(good.response))
  const text = String(good.response[member])
  return dice.pick<() => unknown>([
    () => odd(),
    () => [good],
    () => ({ ...good, id: odd() }),
    () => ({ ...good, rawId: odd() }),
    () => ({ ...good, id: 'AAAA', rawId: 'AAAA' }),
    () => ({ ...good, id: `${good.id}=`, rawId: `${good.id}=` }),
    () => ({ ...good, type: odd() }),
    () => ({ ...good, response: odd() }),
    () => ({ ...good, clientExtensionResults: odd() }),
    () => ({ ...good, authenticatorAttachment: odd() }),
    () => ({ ...good, extra: odd() }),
    () => within({ [member]: odd() }),
    () => within({ [member]: undefined }),
    () => within({ [member]: `${text}=` }),
    () => within({ [member]: ` ${text}` }),
    () => within({ [member]: `${text}\n` }),
    () => within({ [member]: text.replaceAll('-', '+').replaceAll('_', '/') }),
    () => within({ [member]: `${text}A` }),
    () => within({ [member]: text.slice(0, -1) }),
    () => within({ userHandle: dice.pick(['dXNlci0y', 'dXNlci0x', odd()]) }),
    () => within({ transports: dice.pick([['internal', 'future'], [1], 'usb', odd()]) }),
    () => within({ publicKeyAlgorithm: dice.pick([-7, -8, -257, odd()]) }),
  ])()
}

/** A good signature with its form or its value changed. */
const changeSignature = (good: Uint8Array, dice: Dice): Uint8Array<ArrayBuffer> =>
  dice.pick<() => Uint8Array<ArrayBuffer>>([
    () => damageBytes(good, dice),
    () => new Uint8Array(),
    () => new Uint8Array(good.length),
    () => concat(good, Uint8Array.of(0)),
    () => dice.bytes(64),
    () => testKey(-7, 'other').sign(good),
    () => withIntegers(good, ([r, s]) => [concat(Uint8Array.of(0), r), s]),
    () => withIntegers(good, ([r, s]) => [r, concat(Uint8Array.of(0, 0), s)]),
    () => withIntegers(good, ([r, s]) => [s, r]),
    () => withIntegers(good, ([r]) => [r, Uint8Array.of(0)]),
    () => withIntegers(good, ([r, s]) => [r, withoutSign(s)]),
    () => withIntegers(good, ([r, s]) => [r, s, Uint8Array.of(1)]),
    () => concat(Uint8Array.of(0x30, 0x81), good.subarray(1)),
  ])()

type Integers = readonly [Uint8Array, Uint8Array]

const withIntegers = (
  der: Uint8Array,
  change: (integers: Integers) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> => {
  const rLength = der[3] ?? 0
  if (der[0] !== 0x30 || der[2] !== 2 || der.length > 130) return concat(der, Uint8Array.of(1))
  const r = der.subarray(4, 4 + rLength)
  const s = der.subarray(6 + rLength)
  return tlv(0x30, ...change([r, s]).map((value) => tlv(0x02, value)))
}

/** A large number, written as if INTEGER were unsigned. */
const withoutSign = (value: Uint8Array): Uint8Array => (value[0] === 0 ? value.subarray(1) : value)
