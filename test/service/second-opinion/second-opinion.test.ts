import { describe, expect, it } from 'vitest'
import type { JudgeCrypto } from '../../../src-main/core/judge/crypto-port.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import { decodeSpki } from '../../../src-main/core/judge/spki.ts'
import { type Bytes, concat, fromHex, toHex, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { ok } from '../../../src-main/core/protocol/result.ts'
import type { Clock } from '../../../src-main/core/protocol/time.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { formOpinion, opinionAgrees, secondOpinion } from '../../../src-main/service/second-opinion/second-opinion.ts'
import { createSecondOpinions } from '../../../src-main/service/second-opinion/second-opinions.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import { cbor, map, raw } from '../../support/ceremony/cbor.ts'
import {
  attestationKey,
  certificate,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  rootCertificate,
} from '../../support/ceremony/certificates.ts'
import { type TestKey, testAlgorithms, testKey, withMember } from '../../support/ceremony/keys.ts'
import { FLAG, NOW, type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import {
  androidKeyStatement,
  packedStatement,
  safetyNetStatement,
  tpmStatement,
  u2fParts,
} from '../../support/ceremony/statements.ts'

const wall = NOW
const WHOLE = { heard: true, by: '@simplewebauthn/server' }
const by = (algorithm: number) => (algorithm < -47 && algorithm > -51 ? POST_QUANTUM : CURVES)
const CURVES = { heard: true, by: '@noble/curves' }
const POST_QUANTUM = { heard: true, by: '@noble/post-quantum' }
const SIGNATURES = { heard: true, by: '@peculiar/webcrypto' }
const REFUSED = { ...WHOLE, accepts: false }
const chain = [certificate({ issuer: INTERMEDIATE_NAME, signer: intermediateKey() }), intermediateCertificate()]

describe('the second opinion on a good registration', () => {
  it.each([-7, -35, -36, -257, -258, -259, -37, -38, -39, -8, -48, -49, -50])(
    'with algorithm %i is that it is good',
    async (algorithm) => {
      const key = testKey(algorithm)
      expect(await secondOpinion(registration({ key, cose: key.cose }), { wall })).toEqual({ ...WHOLE, accepts: true })
      expect(await secondOpinion(authentication({ key }), { wall })).toEqual({ ...WHOLE, accepts: true })
    },
  )

  it('uses the roots of each ceremony, however many run at once', async () => {
    const statement = packedStatement({ chain })
    const trusted = registration({ statement, case: { attestation: 'require-trusted', roots: [rootCertificate()] } })
    const other = rootCertificate({ key: testKey(-7, 'other'), signer: testKey(-7, 'other') })
    const untrusted = registration({ statement, case: { attestation: 'require-trusted', roots: [other] } })
    const any = registration({ statement })
    const opinions = await Promise.all(
      [trusted, untrusted, any, trusted].map((input) => secondOpinion(input, { wall })),
    )
    expect(opinions.map((opinion) => opinion.heard && opinion.accepts)).toEqual([true, false, true, true])
  })
})

/** Other octets of the same length, where the signature’s numbers stand. */
const altered = (signature: Uint8Array): Bytes =>
  new Uint8Array(signature).with(signature.length - 9, (signature.at(-9) ?? 0) ^ 1)
/** A platform that says yes to every signature. */
const gullible: JudgeCrypto = { ...nodeCrypto, verify: () => ok(true) }

const halfFloat = { flags: FLAG.UP | FLAG.AT | FLAG.ED, extensions: cbor(map(['ext', [raw(0xf9, 0x3c, 0)]])) }
const revocationList = { id: '2.5.29.31', value: Uint8Array.of(0x30, 0) }
/** Why @simplewebauthn/server cannot be asked, and who calculates instead. */
const beyond: readonly (readonly [string, Partial<RegistrationParts>, typeof SIGNATURES])[] = [
  ['with a key of ES256K', { key: testKey(-47), cose: testKey(-47).cose }, CURVES],
  ['with a key of Ed448', { key: testKey(-53), cose: testKey(-53).cose }, CURVES],
  ['with half floats in its extensions', halfFloat, CURVES],
  ['with half floats and a key of RSA', { ...halfFloat, key: testKey(-257), cose: testKey(-257).cose }, SIGNATURES],
  ['of SafetyNet', { format: 'android-safetynet', statement: safetyNetStatement() }, SIGNATURES],
  [
    'with an Ed25519 key in its certificate',
    { statement: packedStatement({ attestationKey: testKey(-8, 'attestation') }) },
    CURVES,
  ],
]
/** With n - s for s a signature of ECDSA verifies as well. */
const ORDERS: Readonly<Record<number, bigint>> = {
  [-7]: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  [-47]: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
}
/** Big-endian. */
const octetsOf = (number: bigint, size: number): Bytes => {
  const octets = fromHex(number.toString(16).padStart(2 * size, '0'))
  if (!octets.ok) throw new Error('no octets')
  return octets.value
}
const withUpperS =
  (order: bigint) =>
  (der: Uint8Array): Bytes => {
    const rEnd = 4 + (der[3] ?? 0)
    const s = BigInt(`0x${toHex(der.slice(rEnd + 2))}`)
    const octets = octetsOf(s * 2n > order ? s : order - s, 33)
    const tail = concat(Uint8Array.of(2, octets.length), octets)
    return concat(Uint8Array.of(0x30, rEnd - 2 + tail.length), der.slice(2, rEnd), tail)
  }

describe('where @simplewebauthn/server cannot be asked, another library', () => {
  it.each(beyond)('accepts a registration %s', async (_, parts, who) => {
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ ...who, accepts: true })
  })

  it.each([-7, -35, -36, -47, -8, -53, -48, -49, -50])(
    'verifies a sign-in with algorithm %i, and refuses an altered signature and that of another key',
    async (algorithm) => {
      const key = testKey(algorithm)
      const parts = { key, flags: FLAG.UP | FLAG.UV | FLAG.ED, afterCounter: halfFloat.extensions }
      const good = authentication(parts)
      expect(await secondOpinion(good, { wall })).toEqual({ ...by(algorithm), accepts: true })
      for (const wrong of [
        authentication({ ...parts, signature: altered }),
        authentication({ ...parts, key: { ...key, sign: (data) => testKey(algorithm, 'other').sign(data) } }),
      ]) {
        const opinion = await secondOpinion(wrong, { wall })
        expect(opinion).toEqual({ ...by(algorithm), accepts: false, reason: { code: 'signature_not_verified' } })
        expect(opinionAgrees(await judgeAuthentication(wrong, gullible), opinion)).toBe(false)
      }
    },
  )

  it.each<readonly [string, (key: (good: TestKey) => TestKey) => Partial<RegistrationParts>]>([
    ['self', (key) => ({ key: key(testKey(-47)), cose: testKey(-47).cose })],
    ['packed', (key) => ({ ...halfFloat, statement: packedStatement({ attestationKey: key(attestationKey()) }) })],
    [
      'tpm',
      (key) => ({ ...halfFloat, format: 'tpm', statement: tpmStatement({ attestationKey: key(attestationKey()) }) }),
    ],
    [
      'fido-u2f',
      (key) => u2fParts({ attestationKey: key(attestationKey()), certificate: { extensions: [revocationList] } }),
    ],
    ['android-key', (key) => ({ key: key(testKey(-7)), format: 'android-key', statement: androidKeyStatement() })],
  ])('refuses an altered attestation signature of the format %s that the judge would let pass', async (_, parts) => {
    expect(await secondOpinion(registration(parts((good) => good)), { wall })).toEqual({ ...CURVES, accepts: true })
    const wrong = registration(parts((good) => ({ ...good, sign: (data) => altered(good.sign(data)) })))
    const opinion = await secondOpinion(wrong, { wall })
    expect(opinion).toEqual({ ...CURVES, accepts: false, reason: { code: 'signature_not_verified' } })
    expect(opinionAgrees(await judgeRegistration(wrong, gullible), opinion)).toBe(false)
  })

  it('takes the new key of a registration in which nothing is signed', async () => {
    const key = testKey(-47)
    const parts = { key, cose: key.cose, format: 'none', statement: () => map() } as const
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ ...SIGNATURES, accepts: true })
  })

  it.each([-7, -47])('accepts a signature of algorithm %i whose s is in the upper half', async (algorithm) => {
    const parts = { key: testKey(algorithm), flags: FLAG.UP | FLAG.UV | FLAG.ED, afterCounter: halfFloat.extensions }
    const upper = authentication({ ...parts, signature: withUpperS(ORDERS[algorithm] ?? 0n) })
    expect(await secondOpinion(upper, { wall })).toEqual({ ...CURVES, accepts: true })
    expect((await judgeAuthentication(upper, nodeCrypto)).accepted).toBe(true)
  })

  it.each([
    [-19, 6, 32, 2n ** 252n + 27742317777372353535851937790883648493n],
    [-53, 7, 57, 2n ** 446n - 13818066809895115352007386748515426880336692474882178609894547503885n],
  ])('refuses forms of algorithm %i that no strict verifier takes', async (algorithm, crv, size, order) => {
    const honest = { ...testKey(algorithm === -19 ? -8 : algorithm), algorithm }
    const key = { ...honest, cose: withMember(honest.cose, 3, algorithm) }
    expect(await secondOpinion(authentication({ key }), { wall })).toEqual({ ...CURVES, accepts: true })
    // Where the key is the neutral point, anybody can sign. S and S + L are the same number to a lenient verifier.
    const neutral = new Uint8Array(size).with(0, 1)
    const cose = map([1, 1], [3, algorithm], [-1, crv], [-2, neutral])
    const plusOrder = (good: Uint8Array): Bytes => {
      const s = BigInt(`0x${toHex(good.slice(size).reverse())}`) + order
      return concat(good.slice(0, size), octetsOf(s, size).reverse())
    }
    for (const wrong of [
      authentication({ key: { ...key, cose, sign: () => concat(neutral, new Uint8Array(size)) } }),
      authentication({ key, signature: plusOrder }),
    ]) {
      const opinion = await secondOpinion(wrong, { wall })
      expect(opinion).toEqual({ ...CURVES, accepts: false, reason: { code: 'signature_not_verified' } })
      expect(opinionAgrees(await judgeAuthentication(wrong, gullible), opinion)).toBe(false)
    }
  })

  it('is not heard where nothing is signed and the key has no form but its length', async () => {
    const { cose } = testKey(-48)
    const parts = { ...halfFloat, key: testKey(-48), cose, format: 'none', statement: () => map() }
    const why = { code: 'numbers_not_read' }
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ heard: false, reason: why })
  })
})

describe('the second opinion', () => {
  it.each([null, 7, 'text', [], {}, { id: 1 }, { id: 'AAAA', response: null }])(
    'refuses %j instead of throwing',
    async (response) => {
      expect(await secondOpinion(registration({ response: () => response }), { wall })).toMatchObject(REFUSED)
    },
  )

  it('gives the reason in the words of the library', async () => {
    const opinion = await secondOpinion(registration({ clientData: { type: 'webauthn.get' } }), { wall })
    expect(opinion).toEqual({ ...REFUSED, reason: 'Unexpected registration response type: webauthn.get' })
  })

  it('knows the counter and how regressions are taken', async () => {
    expect(await secondOpinion(authentication({ signCount: 7 }), { wall })).toMatchObject(REFUSED)
    const accepting = authentication({ signCount: 7, case: { counterRegression: 'accept' } })
    expect(await secondOpinion(accepting, { wall })).toEqual({ ...WHOLE, accepts: true })
  })
})

it('judge and second opinion do not disagree where the library was not asked', async () => {
  const unknown = authentication({ case: { credential: () => undefined } })
  const known = registration({ case: { credentialKnown: () => true } })
  expect(await secondOpinion(unknown, { wall })).toMatchObject({ heard: false })
  expect(opinionAgrees(await judgeRegistration(known, nodeCrypto), await secondOpinion(known, { wall }))).toBe(true)
})

const DATA = utf8('what was signed')

const publicKeyOf = (algorithm: number) => {
  const key = decodeSpki(testKey(algorithm).spki)
  if (key === undefined) throw new Error('a test key cannot be read')
  return key
}

it.each(testAlgorithms)('does not verify with algorithm %i a signature that is no such thing', async (algorithm) => {
  const check = { algorithm, key: publicKeyOf(algorithm), data: DATA, signature: new Uint8Array(3) }
  expect(await nodeCrypto.verify(check)).toEqual({ ok: true, value: false })
})

it('does not verify with a point off its curve', async () => {
  const key = { kty: 'EC2', crv: 'P-256', x: new Uint8Array(32).fill(1), y: new Uint8Array(32).fill(1) } as const
  const signature = testKey(-7).sign(DATA)
  expect(await nodeCrypto.verify({ algorithm: -7, key, data: DATA, signature })).toEqual({ ok: true, value: false })
})

it.each([
  ['an unknown algorithm', -1],
  ['an algorithm of another kind of key', -257],
])('calls %s unsupported', async (_, algorithm) => {
  const check = { algorithm, key: publicKeyOf(-7), data: DATA, signature: new Uint8Array(8) }
  expect(await nodeCrypto.verify(check)).toEqual({ ok: false, error: 'unsupported' })
})

it('leaves the event loop to others while a signature is verified', async () => {
  const check = { algorithm: -7, key: publicKeyOf(-7), data: DATA, signature: testKey(-7).sign(DATA) }
  let done = false
  const verified = Promise.resolve(nodeCrypto.verify(check)).finally(() => {
    done = true
  })
  // Only the event loop brings what a thread has found.
  for (let i = 0; i < 1_000; i++) await undefined
  expect(done).toBe(false)
  expect(await verified).toEqual({ ok: true, value: true })
})

it('tells PSS from PKCS #1 and one hash from another', async () => {
  const signature = testKey(-257).sign(DATA)
  for (const algorithm of [-37, -258]) {
    const check = { algorithm, key: publicKeyOf(-257), data: DATA, signature }
    expect(await nodeCrypto.verify(check)).toEqual({ ok: true, value: false })
  }
})

const AGREES = { heard: true, by: '@simplewebauthn/server' as const, accepts: true }
const ceremony = authentication()
const verdict = await judgeAuthentication(ceremony, nodeCrypto)
const form = () => formOpinion(ceremony, verdict, handClock().clock)

/** Real time as the test lets it pass: an alarm rings so many milliseconds late. */
const handClock = () => {
  let now = 1_000
  let alarm: { readonly time: number; readonly ring: () => void } | undefined
  const clock: Clock = {
    now: () => now,
    at: (time, ring) => {
      alarm = { time, ring }
      return () => undefined
    },
  }
  return {
    clock,
    ring: (late: number): void => {
      const due = alarm
      if (due === undefined) throw new Error('no alarm is set')
      alarm = undefined
      now = due.time + late
      due.ring()
    },
    isSet: () => alarm !== undefined,
  }
}

/** An event loop that sleeps. */
const idle = () => 0

const nextTold = (opinions: ReturnType<typeof createSecondOpinions>): Promise<readonly unknown[]> =>
  new Promise((resolve) => opinions.listen('main', (...told) => resolve(told)))

describe('a second opinion', () => {
  it.each([
    ['the process is busy', { late: 200, others: 0, share: 0 }],
    ['others are judged', { late: 0, others: 1, share: 0 }],
    ['the event loop works on something else', { late: 0, others: 0, share: 0.9 }],
  ])('waits while %s, and is formed and told when nothing does', async (_, { late, others, share }) => {
    const { clock, ring, isSet } = handClock()
    let busy = share
    const opinions = createSecondOpinions(clock, {}, () => busy)
    const told = nextTold(opinions)
    const formed: unknown[] = []
    opinions.listen('main', (id) => formed.push(id))
    for (let n = 0; n <= others; n++) opinions.later('main', `m${n}`, form)
    ring(late)
    await new Promise((resolve) => setImmediate(resolve))
    expect([formed, isSet()]).toEqual([[], true])
    busy = 0
    ring(0)
    expect(await told).toEqual(['m0', AGREES])
  })

  it('is formed at once when it is looked up, and told once', async () => {
    const opinions = createSecondOpinions(handClock().clock, {}, idle)
    const told: unknown[] = []
    opinions.listen('main', (id) => told.push(id))
    opinions.later('main', 'm1', form)
    for (let n = 0; n < 2; n++) expect(await opinions.of('main', 'm1')).toEqual(AGREES)
    expect(told).toEqual(['m1'])
  })

  it('that another process waits for is formed a few at a time however busy this one is', async () => {
    const { clock, ring } = handClock()
    const formed: unknown[] = []
    const waits = new Map<number, () => void>()
    const opinions = createSecondOpinions(clock, {
      formed: (...told) => {
        formed.push(told)
        waits.get(formed.length)?.()
      },
    })
    /** So many are formed, and the next alarm is set. */
    const reached = async (count: number): Promise<void> => {
      await new Promise<void>((resolve) => waits.set(count, resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (let n = 0; n < 9; n++) opinions.later('main', `m${n}`, form)
    ring(200)
    await reached(8)
    expect(formed[0]).toEqual(['main', 'm0', AGREES])
    ring(200)
    await new Promise((resolve) => setImmediate(resolve))
    expect(formed).toHaveLength(8)
    ring(1_000)
    await reached(9)
  })

  it('that another process forms is asked for, waited for, and told to its listeners', async () => {
    const asked: unknown[] = []
    const opinions = createSecondOpinions(handClock().clock, { ask: (...about) => asked.push(about) })
    const told = nextTold(opinions)
    opinions.expect('main', 'm1')
    const wanted = opinions.of('main', 'm1')
    expect(asked).toEqual([['main', 'm1']])
    opinions.receive('main', 'm1', AGREES)
    expect([await wanted, await told]).toEqual([AGREES, ['m1', AGREES]])
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
    expect(asked).toHaveLength(1)
    opinions.forget('main')
    expect(await opinions.of('main', 'm1')).toBeUndefined()
  })

  it('that does not come from another process is given up, at once from then on', async () => {
    const { clock, ring } = handClock()
    const opinions = createSecondOpinions(clock)
    opinions.expect('main', 'm1')
    const wanted = opinions.of('main', 'm1')
    ring(0)
    expect(await wanted).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toBeUndefined()
  })

  it('that is waited for ends with its workspace', async () => {
    const opinions = createSecondOpinions(handClock().clock)
    opinions.expect('two', 'm1')
    const wanted = opinions.of('two', 'm1')
    opinions.forget('two')
    expect(await wanted).toBeUndefined()
  })

  it('is not formed for the oldest ceremonies when too many wait', async () => {
    const opinions = createSecondOpinions(handClock().clock, {}, idle)
    for (let n = 0; n < 513; n++) opinions.later('main', `m${n}`, form)
    expect(await opinions.of('main', 'm0')).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
  })

  it('is forgotten with its workspace, and not told to another one of that id', async () => {
    const opinions = createSecondOpinions(handClock().clock, {}, idle)
    const told: unknown[] = []
    opinions.later('two', 'm1', form)
    opinions.later('main', 'm1', form)
    const underWay = opinions.of('two', 'm1')
    opinions.forget('two')
    opinions.listen('two', (id) => told.push(id))
    await underWay
    expect(told).toEqual([])
    expect(await opinions.of('two', 'm1')).toBeUndefined()
    expect(await opinions.of('main', 'm1')).toEqual(AGREES)
  })
})
