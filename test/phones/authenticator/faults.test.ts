import { describe, expect, it } from 'vitest'
import { FAULT_NAMES, type FaultName } from '../../../src-main/core/contract/faults.ts'
import { refusingStep } from '../../../src-main/core/contract/judge/steps.ts'
import type { Profile } from '../../../src-main/core/contract/profile.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../../src-main/phones/authenticator/algorithms.ts'
import {
  certificateBytes,
  makeRepeatableAuthority,
} from '../../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import { affects, type Ceremony, type Fault, joinSeams } from '../../../src-main/phones/authenticator/faults/fault.ts'
import { expectedOutcome, FAULTS } from '../../../src-main/phones/authenticator/faults.ts'
import { getAssertion } from '../../../src-main/phones/authenticator/get-assertion.ts'
import { ATTESTATION_FORMATS, makeCredential } from '../../../src-main/phones/authenticator/make-credential.ts'
import { type AttestationKind, MODELS } from '../../../src-main/phones/authenticator/models.ts'
import type { Seams } from '../../../src-main/phones/authenticator/seams.ts'
import { extensionInputs } from '../../../src-main/service/ceremony/bind.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { isNightly } from '../../support/parts.ts'
import {
  goodAssertion,
  goodCreation,
  goodCreationOptions,
  goodPorts,
  goodRequestOptions,
  must,
  NOW,
  ORIGIN,
  RP_ID,
  rootsAsPem,
} from './support/requests.ts'
import { seededRandom } from './support/seeded-random.ts'

const faults = Object.values(FAULTS)
const inAuthenticator = faults.filter(({ apply }) => 'seams' in apply)

const KINDS = Object.keys(ATTESTATION_FORMATS) as AttestationKind[]

/**
 * The phones on which a fault must be felt: every way to attest and every algorithm that it names. Of the ways that make no
 * difference to it, `npm test` takes two, the next fault two others; `npm test -- nightly` takes all.
 */
const phonesOf = ({ name, needs }: Fault): readonly (readonly [AttestationKind, AlgorithmName])[] =>
  (needs?.attestation ?? (isNightly ? KINDS : twoOf(KINDS, FAULT_NAMES.indexOf(name)))).flatMap((kind) =>
    (needs?.algorithms ?? (['ES256'] as const))
      .filter((name) => ATTESTATION_FORMATS[kind].supports(algorithmNamed(name)))
      .map((name) => [kind, name] as const),
  )

const twoOf = <T>(all: readonly T[], nth: number): readonly T[] =>
  all.filter((_, i) => i === nth % all.length || i === (nth + 3) % all.length)

type Phone = { readonly kind: AttestationKind; readonly algorithm: AlgorithmName; readonly fault?: Fault }

const setting = (fault: Fault | undefined, key: string): unknown => fault?.needs?.profile?.[key]

const userVerification = (fault: Fault | undefined) =>
  setting(fault, 'user_verification') === 'required' ? 'required' : 'preferred'

const extensions = (fault: Fault | undefined, ceremony: Ceremony) =>
  extensionInputs((setting(fault, 'extensions') as Profile['extensions'] | undefined) ?? [], ceremony, 'AAAA')

const expectations = (fault: Fault | undefined) => ({
  origins: [ORIGIN],
  rpId: RP_ID,
  ...(setting(fault, 'top_origins') === undefined ? {} : { topOrigins: setting(fault, 'top_origins') as string[] }),
})

const register = async ({ kind, algorithm, fault }: Phone, strike: boolean) => {
  const ports = await goodPorts()
  const algorithms = (setting(fault, 'algorithms') as AlgorithmName[] | undefined) ?? [algorithm, 'ES256']
  const options = {
    ...goodCreationOptions,
    pubKeyCredParams: algorithms.map((name) => ({ type: 'public-key', alg: ALGORITHMS[name].cose }) as const),
    authenticatorSelection: {
      residentKey: setting(fault, 'resident_key') === 'required' ? 'required' : 'preferred',
      userVerification: userVerification(fault),
    },
    extensions: extensions(fault, 'registration'),
  } as const
  const aaguid = kind === 'fido-u2f' ? MODELS['token-u2f'].aaguid : MODELS['granite-one'].aaguid
  const request = goodCreation({
    options,
    model: { ...MODELS['granite-one'], aaguid, algorithms: [algorithm], attestation: kind },
    storage: fault?.needs?.storage ?? 'chip',
    ...(strike && fault ? { seams: joinSeams([fault]) } : {}),
  })
  const made = must(await makeCredential(request, ports))
  const verdict = await judgeRegistration(
    {
      ...expectations(fault),
      response: JSON.parse(JSON.stringify(made.response)),
      options,
      attestation: setting(fault, 'attestation') === 'require-trusted' ? 'require-trusted' : 'accept-any',
      roots: Object.values(ports.attestationKeys.formats).map(({ root }) => certificateBytes(root)),
      now: NOW,
      credentialKnown: () => false,
    },
    nodeCrypto,
  )
  return { verdict, response: made.response, made }
}

const signIn = async (phone: Phone, strike: boolean) => {
  const { fault } = phone
  const ports = await goodPorts()
  const { verdict: registered, made } = await register(phone, false)
  if (registered.value === undefined) throw new Error(`not registered: ${registered.failure?.word}`)
  const before = must(await getAssertion(goodAssertion([made.credential]), ports)).credential
  const options = {
    ...goodRequestOptions,
    userVerification: userVerification(fault),
    allowCredentials: [{ type: 'public-key', id: before.id }],
    extensions: extensions(fault, 'authentication'),
  } as const
  const request = goodAssertion([before], { options, ...(strike && fault ? { seams: joinSeams([fault]) } : {}) })
  const signed = must(await getAssertion(request, ports))
  const verdict = await judgeAuthentication(
    {
      ...expectations(fault),
      response: JSON.parse(JSON.stringify(signed.response)),
      options,
      credential: (id) =>
        id === before.id && registered.value
          ? { ...registered.value, signCount: before.signCount, userHandle: before.userHandle }
          : undefined,
      expectedUserHandle: before.userHandle,
      counterRegression: 'fail',
    },
    nodeCrypto,
  )
  return { verdict, response: signed.response }
}

const outcomeOf = (verdict: { accepted: boolean; failure?: { word: string } }) =>
  verdict.accepted ? 'success' : verdict.failure?.word

const attempt = async (ceremony: Ceremony, phone: Phone, strike: boolean) =>
  outcomeOf((await (ceremony === 'registration' ? register : signIn)(phone, strike)).verdict)

/** Where any other mistake is found: in the statement, and in the signature. */
const LAST = { registration: '7.1.22', authentication: '7.2.21' } as const

const attempts = (['registration', 'authentication'] as const).flatMap((ceremony) =>
  inAuthenticator
    .filter((fault) => affects(fault, ceremony))
    .flatMap((fault) =>
      phonesOf(fault)
        // At a sign-in nothing is attested any more.
        .filter(([kind], i) => ceremony === 'registration' || i === 0 || kind === 'none')
        .map(([kind, algorithm]) => ({ ceremony, fault, kind, algorithm, name: fault.name })),
    ),
)

/** Attempts that are alike without their fault are tried once. */
const honest = new Map(
  attempts.map((one) => [JSON.stringify([one.ceremony, one.kind, one.algorithm, one.fault.needs]), one]),
)

describe('a fault inside the authenticator', () => {
  it.each(attempts)('$name with $kind and $algorithm at $ceremony ends exactly as the table says', async (one) => {
    const { ceremony, fault } = one
    const { verdict } = await (ceremony === 'registration' ? register : signIn)(one, true)
    const outcome = expectedOutcome(fault, ceremony)
    expect(outcomeOf(verdict)).toBe(outcome)
    if (outcome !== 'success')
      expect(verdict.failure?.step).toBe(refusingStep(String(outcome), ceremony) ?? LAST[ceremony])
  })

  it.each([...honest.values()])('without $name the attempt is accepted: $kind, $algorithm, $ceremony', async (one) => {
    expect(await attempt(one.ceremony, one, false)).toBe('success')
  })
})

describe('the table of faults', () => {
  it('joins faults, also at one seam', async () => {
    const seams = joinSeams([FAULTS['challenge-missing'], FAULTS['origin-missing'], FAULTS['reserved-bit-1']])
    const made = must(await makeCredential(goodCreation({ seams }), await goodPorts()))
    const clientData = JSON.parse(Buffer.from(made.response.response.clientDataJSON, 'base64url').toString())
    expect(clientData).toEqual({ type: 'webauthn.create', crossOrigin: false })
    expect((Buffer.from(made.response.response.authenticatorData, 'base64url')[32] ?? 0) & 0x02).toBe(0x02)
  })
})

describe('a fault is felt whatever is drawn', () => {
  const seeds = Array.from({ length: 12 }, (_, nth) => String(nth))

  it.each(seeds)('an unused bit of a certificate’s signature is set on model %s', async (seed) => {
    let last = 0
    const attestationChain: Seams['attestationChain'] = (chain) => {
      last = chain[0]?.at(-1) ?? 0
      return chain
    }
    const seams = { ...joinSeams([FAULTS['certificate-unused-bits']]), attestationChain }
    const model = {
      ...MODELS['granite-one'],
      aaguid: MODELS['granite-one'].aaguid.replace(/..$/, seed.padStart(2, '0')),
    }
    await makeCredential(goodCreation({ model, seams }), await goodPorts())
    expect(last & 3).not.toBe(0)
  })

  it.each(seeds)('a wrong challenge is strict base64url, and a plain one is not, under seed %s', async (seed) => {
    const sent = async (fault: FaultName, challenge: string) => {
      const options = { ...goodCreationOptions, challenge }
      const made = await makeCredential(goodCreation({ options, seams: joinSeams([FAULTS[fault]]) }), await goodPorts())
      return JSON.parse(Buffer.from(must(made).response.response.clientDataJSON, 'base64url').toString()).challenge
    }
    const respelled = (text: string) => Buffer.from(text, 'base64url').toString('base64url')
    for (const length of [16, 24, 32]) {
      const challenge = Buffer.from(seededRandom(seed).bytes(length)).toString('base64url')
      for (const fault of ['challenge-in-upper-case', 'challenge-truncated'] as const) {
        const text = await sent(fault, challenge)
        expect([respelled(text), text === challenge]).toEqual([text, false])
      }
      expect(await sent('challenge-in-plain-base64', challenge)).not.toBe(challenge)
    }
  })
})

const struck = Object.values(FAULTS).filter(({ apply }) => 'seams' in apply)

/** The nightly part tries every fault on every phone; `npm test` every twelfth, on the next phone the next ones. */
const STEP = isNightly ? 1 : 12

const phones = Object.values(MODELS)
  .flatMap((model) => model.algorithms.map((name) => [model.name, name] as const))
  .map(([model, algorithm], nth) => [model, algorithm, struck.filter((_, i) => i % STEP === nth % STEP)] as const)

/** Each model with each of its algorithms. */
const optionsFor = (name: AlgorithmName) => ({
  ...goodCreationOptions,
  pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHMS[name].cose } as const],
})

describe('a fault that the phone cannot have', () => {
  it.each(phones)('breaks nothing on %s with %s', async (modelName, algorithm, faults) => {
    const ports = await goodPorts()
    const model = MODELS[modelName as keyof typeof MODELS]
    const creation = { options: optionsFor(algorithm), model }
    const { credential } = must(await makeCredential(goodCreation(creation), ports))
    const broken: string[] = []
    for (const fault of faults) {
      const seams = joinSeams([fault])
      try {
        if (affects(fault, 'registration')) await makeCredential(goodCreation({ ...creation, seams }), ports)
        if (affects(fault, 'authentication')) await getAssertion(goodAssertion([credential], { seams }), ports)
      } catch (error) {
        broken.push(`${fault.name}: ${String(error)}`)
      }
    }
    expect(broken).toEqual([])
  })
})

const names = Object.keys(ALGORITHMS) as AlgorithmName[]
const pairs = (Object.keys(ATTESTATION_FORMATS) as AttestationKind[]).flatMap((kind) =>
  names.filter((name) => ATTESTATION_FORMATS[kind].supports(algorithmNamed(name))).map((name) => [kind, name] as const),
)

const run = async (kind: AttestationKind, name: AlgorithmName, random: { seed: string; repeatable: boolean }) => {
  const ports = await goodPorts(random.seed, random)
  const options = {
    ...goodCreationOptions,
    pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHMS[name].cose }],
    extensions: { prf: {}, largeBlob: { support: 'preferred' } },
  } as const
  const model = { ...MODELS['granite-one'], algorithms: [name], attestation: kind } as const
  const made = must(await makeCredential(goodCreation({ options, model }), ports))
  const asked = { extensions: { prf: { eval: { first: 'AAAA' } } } }
  const request = goodAssertion([made.credential])
  const signed = must(await getAssertion({ ...request, options: { ...request.options, ...asked } }, ports))
  return { made, signed }
}

describe('under a seed', () => {
  it.each(pairs)('%s with %s gives the same bytes twice, and others under another seed', async (kind, name) => {
    const once = await run(kind, name, { seed: 'one', repeatable: true })
    expect(await run(kind, name, { seed: 'one', repeatable: true })).toEqual(once)
    const other = await run(kind, name, { seed: 'two', repeatable: true })
    expect(other.made.credential.id).not.toBe(once.made.credential.id)
    expect(other.signed.response.response.signature).not.toBe(once.signed.response.response.signature)
  })

  const othersSign = Object.values(FAULTS).filter(
    ({ apply }) => 'seams' in apply && 'attestationSigning' in apply.seams,
  )
  const phones = ['granite-one', 'granite-self', 'orchard-key', 'droid-keystore', 'droid-classic', 'slate-tpm'] as const

  it.each(phones)('%s attests alike twice with a fault of who signs, also with one for other phones', async (name) => {
    expect(othersSign.length).toBeGreaterThan(3)
    for (const fault of othersSign) {
      const once = async () => {
        const creation = goodCreation({ model: MODELS[name], seams: joinSeams([fault]) })
        return must(await makeCredential(creation, await goodPorts('one', { repeatable: true })))
      }
      expect(await once(), fault.name).toEqual(await once())
    }
  })

  it('the makers of a workspace are the same ones', () => {
    const make = (seed: string) => makeRepeatableAuthority({ random: seededRandom(seed), now: NOW })
    expect(make('one')).toEqual(make('one'))
    expect(rootsAsPem(make('one'))).not.toEqual(rootsAsPem(make('two')))
  })
})

describe('without a seed', () => {
  it('makes RSA keys of its own instead of those of the pool', async () => {
    const first = await run('none', 'RS256', { seed: 'one', repeatable: false })
    const second = await run('none', 'RS256', { seed: 'one', repeatable: false })
    expect(first.made.credential.privateKey).not.toEqual(second.made.credential.privateKey)
  })
})
