import { Buffer } from 'node:buffer'
import { FAULT_NAMES, type FaultName } from '../../../core/contract/faults.ts'
import { refusingStep, type StepId } from '../../../core/contract/judge/steps.ts'
import { POLICIES, type Policy } from '../../../core/contract/webauthn-server.ts'
import { utf8 } from '../../../core/protocol/bytes.ts'
import type { JsonObject } from '../../../core/protocol/json.ts'
import type { CreationOptionsJson } from '../../../core/protocol/webauthn-json.ts'
import { ALGORITHMS, type AlgorithmName, algorithmByCose, sha256 } from '../../../phones/authenticator/algorithms.ts'
import { affects, type Ceremony } from '../../../phones/authenticator/faults/fault.ts'
import { expectedOutcome, FAULTS } from '../../../phones/authenticator/faults.ts'
import {
  ATTESTED_FORMATS,
  type AttestationKind,
  type AuthenticatorModel,
  type CertifiedFormat,
  isAttestedFormat,
  MODELS,
  UNKNOWN_MODEL,
} from '../../../phones/authenticator/models.ts'
import type { Credential, Seams } from '../../../phones/authenticator/seams.ts'
import { caseId, type Finding, failed, passed, skipped, vacuous, warning } from '../finding.ts'
import { findOpenRule, LEFT_OPEN_BY_TEST_API, LEFT_OPEN_WITHOUT_STATEMENT, UNUSABLE_KEYS } from './left-open.ts'
import { type Decision, type PageRequirements, pageOrigin } from './server.ts'
import {
  type CaseModel,
  type CeremonyOptions,
  createAssertion,
  modelForStatement,
  registerNewUser,
  registerUser,
  type SigningIn,
  signIn,
  type WebauthnWorld,
  wantsNoAttestation,
} from './virtual-user.ts'

export type WebauthnCase = {
  readonly id: string
  readonly name: string
  /** The step of WebAuthn Level 3 that a server breaks when the case fails. */
  readonly step: StepId
  /** Runs only if the user says that the server has this rule. */
  readonly policy?: Policy
  run(world: WebauthnWorld): Promise<Finding>
}

// --- A mistake and its honest twin ---

/** The judge's words for mistakes that only a server with this policy must refuse. */
const UNDER: Readonly<Record<Policy, readonly string[]>> = {
  counters: ['counter_regression'],
  'backup-eligibility': ['backup_eligibility_changed'],
  'same-origin': [
    ...['cross_origin_not_allowed', 'top_origin_mismatch', 'top_origin_malformed', 'top_origin_without_cross_origin'],
  ],
  'trusted-attestation': [
    ...['attestation_untrusted', 'attestation_chain_misordered', 'attestation_chain_repeated'],
    ...['attestation_chain_broken', 'attestation_chain_signature_invalid', 'attestation_certificate_expired'],
    ...['attestation_certificate_not_yet_valid', 'attestation_issuer_expired', 'attestation_issuer_not_yet_valid'],
    ...['attestation_issuer_not_ca', 'attestation_issuer_may_not_certify'],
  ],
}

/** The steps that verify a statement and a signature, whatever is wrong with them. */
const VERIFYING_STEPS: Readonly<Record<Ceremony, StepId>> = { registration: '7.1.22', authentication: '7.2.21' }

/** The judge decodes a key as a whole; in WebAuthn, step 20 reads its algorithm, and step 22 verifies with the key. */
const KEY_STEPS: Partial<Record<FaultName, StepId>> = {
  ...{ 'key-algorithm-missing': '7.1.20', 'key-algorithm-mistyped': '7.1.20', 'key-algorithm-unknown': '7.1.20' },
  ...{ 'key-not-a-map': '7.1.20', 'key-cut-off': '7.1.20' },
  ...Object.fromEntries(UNUSABLE_KEYS.map((fault) => [fault, VERIFYING_STEPS.registration])),
}

/** A model with the attestation and the algorithm that this mistake needs. */
const modelFor = (fault: FaultName): CaseModel => {
  const { attestation = ['self'], algorithms, storage } = FAULTS[fault].needs ?? {}
  const kinds: readonly AttestationKind[] = attestation.includes('self') ? ['self'] : attestation
  const found = Object.values(MODELS).find(
    (model) =>
      kinds.includes(model.attestation) &&
      (storage === undefined || model.storage === storage) &&
      (algorithms === undefined || algorithms.includes(model.algorithms[0])),
  )
  return { ...(found ?? UNKNOWN_MODEL), ...(algorithms === undefined ? { otherwise: UNKNOWN_MODEL.algorithms } : {}) }
}

const offers = ({ pubKeyCredParams }: CreationOptionsJson, cose: number): boolean =>
  pubKeyCredParams.some(({ alg }) => alg === cose)

/** Why the authenticator could not make this mistake, in a registration with these options; undefined if it did. */
const unmade = (fault: FaultName, { algorithm }: Credential, options?: CreationOptionsJson): Finding | undefined => {
  const { attestation, algorithms } = FAULTS[fault].needs ?? {}
  if (options !== undefined && attestation?.includes('none') === false && wantsNoAttestation(options))
    return skipped('the server asks for no attestation')
  if (options !== undefined && fault === 'algorithm-not-requested')
    return offers(options, algorithm) ? skipped('the server offers every algorithm there is') : undefined
  const chosen = algorithmByCose(algorithm)?.name
  if (algorithms !== undefined && !algorithms.some((name) => name === chosen))
    return skipped(`the server offers none of ${algorithms.join(', ')}`)
  return undefined
}

const UNSENT = skipped('the server is not sent what is wrong')

const acceptedWrongly = (...mistake: Parameters<typeof findOpenRule>): Finding => {
  const sentence = findOpenRule(...mistake)
  return sentence === undefined ? failed('accepted, and must be refused') : warning(`accepted: ${sentence}`)
}

const refusedBeside = (wrong: Decision, twin: Decision): Finding => {
  if (!twin.accepted) return vacuous(`its honest twin was refused, too: ${twin.text}`)
  return wrong.fellOver ? warning(`refused as an error of the server itself: ${wrong.text}`) : passed
}

type Mistake = { readonly fault: FaultName; readonly word: string }
type Answered = Awaited<ReturnType<typeof registerUser | typeof signIn>>

const unverified = ({ word }: Mistake): boolean => word === 'user_verification_missing'

const wishesFor = (mistake: Mistake): PageRequirements => (unverified(mistake) ? { userVerification: 'required' } : {})

const asksForVerification = ({ options }: Answered): boolean => {
  const { userVerification } = 'rp' in options ? (options.authenticatorSelection ?? {}) : options
  return userVerification === 'required'
}

/** Judges a wrong answer; `also` lists what else is left open. */
const mistakenly = async (
  mistake: Mistake,
  { wrong, also }: { readonly wrong: Answered; readonly also: Parameters<typeof findOpenRule>[1] },
  answerAgain: () => Promise<Answered>,
): Promise<Finding> => {
  if (!wrong.isSent) return UNSENT
  if (unverified(mistake) && !asksForVerification(wrong))
    return skipped('the server does not require user verification')
  if (wrong.decision.accepted) return acceptedWrongly(mistake, also)
  return refusedBeside(wrong.decision, (await answerAgain()).decision)
}

/** The mistake comes first: after the honest answer, a server may refuse because the name is taken. */
const registrationMistake =
  (mistake: Mistake, attestation = modelFor(mistake.fault).attestation) =>
  async (world: WebauthnWorld): Promise<Finding> => {
    const { fault } = mistake
    const { model = modelFor(fault), refusal } = isAttestedFormat(attestation) ? await world.attested(attestation) : {}
    if (refusal !== undefined)
      return skipped(`honest ${attestation} attestation of an unknown maker is refused: ${refusal}`)
    const kinds = FAULTS[fault].needs?.attestation ?? ['none']
    const own = attestation === 'self' && !kinds.includes('none') ? await world.attested('self') : {}
    if (own.refusal !== undefined) return skipped(`honest self attestation is refused: ${own.refusal}`)
    const whose = { browser: world.browser(), user: world.user(), model, wishes: wishesFor(mistake) }
    const wrong = await registerUser(world, { ...whose, fault })
    const also = wantsNoAttestation(wrong.options) ? LEFT_OPEN_WITHOUT_STATEMENT : []
    return (
      unmade(fault, wrong.credential, wrong.options) ??
      mistakenly(mistake, { wrong, also }, () => registerUser(world, whose))
    )
  }

const signInMistake =
  (mistake: Mistake) =>
  async (world: WebauthnWorld): Promise<Finding> => {
    const { fault } = mistake
    const { browser, user, ...made } = await registerNewUser(world, { model: modelFor(fault) })
    const without = unmade(fault, made.credential)
    if (without !== undefined) return without
    let whose: SigningIn = { browser, user, credential: made.credential, wishes: wishesFor(mistake) }
    if (FAULTS[fault].needs?.signedInBefore === true) {
      const { decision, credential } = await signIn(world, whose)
      if (!decision.accepted) return vacuous(`an honest sign-in was refused: ${decision.text}`)
      whose = { ...whose, credential }
    }
    const wrong = await signIn(world, { ...whose, fault })
    const also = world.target.calls === undefined ? LEFT_OPEN_BY_TEST_API : []
    return mistakenly(mistake, { wrong, also }, () => signIn(world, { ...whose, credential: wrong.credential }))
  }

const named = (name: string, step: StepId, run: WebauthnCase['run']): WebauthnCase => ({
  id: caseId(name),
  name,
  step,
  run,
})

const CEREMONIES = ['registration', 'authentication'] as const
const called = (ceremony: Ceremony): string => (ceremony === 'registration' ? 'registration' : 'sign-in')

const IN_THE_ANSWER: readonly FaultName[] = FAULT_NAMES.filter((name) => 'seams' in FAULTS[name].apply)

const mistakesOf = (ceremony: Ceremony): readonly WebauthnCase[] =>
  IN_THE_ANSWER.filter((name) => affects(FAULTS[name], ceremony)).flatMap((fault) => {
    const word = expectedOutcome(FAULTS[fault], ceremony)
    if (word === 'success' || typeof word === 'number') return []
    const policy = POLICIES.find((each) => UNDER[each].includes(word))
    const made = named(
      `a ${called(ceremony)} with ${fault} is refused`,
      KEY_STEPS[fault] ?? refusingStep(word, ceremony) ?? VERIFYING_STEPS[ceremony],
      ceremony === 'registration' ? registrationMistake({ fault, word }) : signInMistake({ fault, word }),
    )
    return policy === undefined ? made : { ...made, policy }
  })

/** Without `apple`, whose statements have no signature. */
const TAMPERED: readonly CertifiedFormat[] = ['packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet']

/** One case per format, since each verifies its signature with another key over other bytes. */
const tamperedCases: readonly WebauthnCase[] = TAMPERED.map((format) =>
  named(
    `a registration with a tampered signature of ${format} attestation is refused`,
    VERIFYING_STEPS.registration,
    registrationMistake({ fault: 'attestation-signature-tampered', word: 'attestation_signature_invalid' }, format),
  ),
)

// --- What must be accepted ---

/** Sends a wrong answer for another user: a server that accepts everything must not pass. */
const refusesWrong = async (world: WebauthnWorld): Promise<Finding> => {
  const { decision } = await registerUser(world, { fault: 'challenge-wrong' })
  return decision.accepted ? vacuous('an answer to another challenge is accepted as well') : passed
}

type Form = {
  readonly steps: Partial<Record<Ceremony, StepId>>
  /** Why a server may refuse this form without breaking a rule. */
  readonly sentence?: string
}

const AS_JSON = { registration: '7.1.6', authentication: '7.2.9' } as const
const IN_ORDER = '§5.8.1.2 lets a verifier without a full JSON parser expect the order of §5.8.1.1'

/** Steps for faults after which an answer is still valid; one that is not listed only changes client data members. */
const UNUSUAL: Partial<Record<FaultName, Form>> = {
  'client-data-with-byte-order-mark': { steps: { registration: '7.1.5', authentication: '7.2.8' } },
  'client-data-reordered': { steps: AS_JSON, sentence: IN_ORDER },
  'client-data-spaced': { steps: AS_JSON, sentence: IN_ORDER },
  'cross-origin-missing': { steps: { registration: '7.1.10', authentication: '7.2.13' } },
  'extension-not-asked-for': {
    ...{ steps: { registration: '7.1.28', authentication: '7.2.23' } },
    sentence: 'both steps let a server refuse outputs that it did not ask for',
  },
  'unknown-members': { steps: { registration: '7.1.3', authentication: '7.2.3' } },
  'copies-missing': {
    ...{ steps: { registration: '7.1.3' } },
    sentence: 'the JSON form in §5.1 requires most of them, but a page that makes it by hand may send none',
  },
  'user-handle-missing': {
    ...{ steps: { authentication: '7.2.6' } },
    sentence: 'a server that learns only by the handle whose key it is requires one',
  },
  'backup-state-changed': { steps: { authentication: '7.2.19' } },
  'signature-other-half': { steps: { authentication: '7.2.21' } },
  'counter-jumping': { steps: { authentication: '7.2.22' } },
}

const unusual = (ceremony: Ceremony): readonly WebauthnCase[] =>
  IN_THE_ANSWER.filter(
    (name) => affects(FAULTS[name], ceremony) && expectedOutcome(FAULTS[name], ceremony) === 'success',
  ).map((fault) => {
    const { steps, sentence } = UNUSUAL[fault] ?? { steps: AS_JSON }
    return named(`a ${called(ceremony)} with ${fault} is accepted`, steps[ceremony] ?? AS_JSON[ceremony], (world) =>
      acceptedOr(sentence, world, ceremony, { model: modelFor(fault), fault }),
    )
  })

/** FAILED if the server refuses; WARNING if a sentence allows the refusal. */
const acceptedOr = async (
  sentence: string | undefined,
  world: WebauthnWorld,
  ceremony: Ceremony,
  how: CeremonyOptions,
): Promise<Finding> => {
  const { decision, isSent } = await played(world, ceremony, how)
  if (!isSent) return UNSENT
  if (decision.accepted) return refusesWrong(world)
  if (sentence === undefined) return failed(`refused: ${decision.text}`)
  const { decision: twin } = await played(world, ceremony, {})
  return twin.accepted
    ? warning(`refused: ${decision.text}; ${sentence}`)
    : vacuous(`its honest twin was refused, too: ${twin.text}`)
}

/** Plays a registration, or an honest registration and a sign-in. */
const played = async (world: WebauthnWorld, ceremony: Ceremony, how: CeremonyOptions): Promise<Answered> =>
  ceremony === 'registration'
    ? registerUser(world, how)
    : signIn(world, { ...(await registerNewUser(world, { model: how.model })), ...how })

/** Changes members of the answer, and of its `response`; undefined leaves a member out. */
const members = (outer: JsonObject, inner: JsonObject = {}): Seams => {
  const change = <A extends { readonly response: object }>(answer: A): A => ({
    ...{ ...answer, ...outer },
    response: { ...answer.response, ...inner },
  })
  return { registrationResponse: change, authenticationResponse: change }
}

const CREDENTIAL_STEPS = { registration: '7.1.2', authentication: '7.2.2' } as const
const RECORD_STEP = { registration: '7.1.27' } as const

/** Forms of an answer that a browser or a page may send. */
const FORMS: Readonly<Record<string, Form & { readonly seams: Seams }>> = {
  'empty transports': { steps: RECORD_STEP, seams: members({}, { transports: [] }) },
  'an unknown transport': {
    ...{ steps: RECORD_STEP, seams: members({}, { transports: ['internal', 'smoke-signals'] }) },
    sentence: '§5.2.1 says that a server SHOULD accept and store unknown values',
  },
  'no transports': {
    ...{ steps: RECORD_STEP, seams: members({}, { transports: undefined }) },
    sentence: 'the JSON form in §5.1 requires them, but a page that makes it by hand may send none',
  },
  'no copy of its public key': { steps: { registration: '7.1.3' }, seams: members({}, { publicKey: undefined }) },
  'no attachment': { steps: CREDENTIAL_STEPS, seams: members({ authenticatorAttachment: undefined }) },
  'an unknown attachment': {
    ...{ steps: CREDENTIAL_STEPS, seams: members({ authenticatorAttachment: 'implanted' }) },
    sentence: '§5.1 says that a server SHOULD treat unknown values as null',
  },
  'null as its attachment': {
    ...{ steps: CREDENTIAL_STEPS, seams: members({ authenticatorAttachment: null }) },
    sentence: 'the attribute in §5.1 may be null, but its JSON form then has no such member',
  },
  'null as its user handle': {
    ...{ steps: { authentication: '7.2.6' }, seams: members({}, { userHandle: null }) },
    sentence: 'the attribute in §5.2.2 may be null, but its JSON form then has no such member',
  },
}

const formsOf = (ceremony: Ceremony): readonly WebauthnCase[] =>
  Object.entries(FORMS).flatMap(([what, { steps, seams, sentence }]) => {
    const step = steps[ceremony]
    if (step === undefined) return []
    const run = (world: WebauthnWorld) => acceptedOr(sentence, world, ceremony, { seams })
    return [named(`a ${called(ceremony)} with ${what} is accepted`, step, run)]
  })

/** Registers a passkey and signs in with it. */
const bothWays = async (world: WebauthnWorld, model: AuthenticatorModel, user = world.user()): Promise<Finding> => {
  const made = await registerUser(world, { model, user })
  if (!made.decision.accepted) return failed(`the registration is refused: ${made.decision.text}`)
  const { decision } = await signIn(world, made)
  return decision.accepted ? refusesWrong(world) : failed(`the sign-in is refused: ${decision.text}`)
}

const algorithmCases: readonly WebauthnCase[] = (Object.keys(ALGORITHMS) as AlgorithmName[]).map((algorithm) =>
  named(`a key of ${algorithm} is accepted where the server offers it`, '7.1.20', async (world) => {
    const options = await world.browser().askRegistration(world.user())
    if (!offers(options, ALGORITHMS[algorithm].cose)) return skipped('the server does not offer it')
    return bothWays(world, { ...UNKNOWN_MODEL, algorithms: [algorithm] })
  }),
)

const anotherFormat = (fmt: string): Seams => ({ attestationObject: (draft) => ({ ...draft, fmt }) })

const formatCases: readonly WebauthnCase[] = ATTESTED_FORMATS.map((format) =>
  named(
    `${format} attestation of an unknown maker is accepted, or left to the server’s trust`,
    '7.1.24',
    async (world) => {
      const model = modelForStatement(format)
      const { attestation = 'none', authenticatorSelection } = await world.browser().askRegistration(world.user())
      if (attestation === 'none') return skipped('the server asks for no attestation')
      if (authenticatorSelection?.residentKey === 'required' && !model.discoverable)
        return skipped('the server requires a discoverable credential, which such an authenticator has not')
      const { decision } = await registerUser(world, { model })
      if (decision.accepted) return refusesWrong(world)
      if (decision.fellOver) return warning(`refused as an error of the server itself: ${decision.text}`)
      if ((await world.attested(format)).model !== undefined) return refusesWrong(world)
      const fmt = 'handset-future'
      const unknown = await registerUser(world, { model, seams: anotherFormat(fmt) })
      return unknown.decision.text.replaceAll(fmt, format) === decision.text
        ? skipped(`refused in the words for a format that the server does not support: ${decision.text}`)
        : skipped(`refused, as a server may that trusts certain makers alone: ${decision.text}`)
    },
  ),
)

const LONG = 'a-name-of-64-octets-'.padEnd(64, 'x')
const NAMES: readonly (readonly [string, string])[] = [
  ['letters of several scripts', 'Zoë Łęcka 李伟 Ελένη'],
  ['an emoji of several code points', 'family 👩‍👩‍👧‍👦'],
  ['an apostrophe and quotes', `Seán O'Neill "the \\ second"`],
]

const NAMELESS = skipped('no call sends such a name')

/** §10.1.1: a server may expect the hash of an AppID only if it requested the extension. */
const appIdCases: readonly WebauthnCase[] = CEREMONIES.map((ceremony) =>
  named(
    `a ${called(ceremony)} with appid that was not asked for, and the hash of the origin, is refused`,
    ceremony === 'registration' ? '7.1.14' : '7.2.15',
    async (world) => {
      const rpIdHash = sha256(utf8(pageOrigin(world.target)))
      const seams: Seams = {
        ...members({ clientExtensionResults: { appid: true } }),
        authenticatorData: (draft) => ({ ...draft, rpIdHash }),
      }
      const { decision, options } = await played(world, ceremony, { seams })
      if (ceremony === 'authentication' && options.extensions?.appid !== undefined)
        return skipped('the server asks for the extension')
      if (decision.accepted) return failed('accepted, and must be refused')
      return refusedBeside(decision, (await played(world, ceremony, {})).decision)
    },
  ),
)

const honestCases: readonly WebauthnCase[] = [
  named('a registration and a sign-in are accepted', '7.2.25', (world) => bothWays(world, UNKNOWN_MODEL)),
  named('a credential that no phone keeps the counter of signs in again and again', '7.2.22', async (world) => {
    const model: AuthenticatorModel = { ...UNKNOWN_MODEL, counter: 'zero' }
    const made = await registerNewUser(world, { model })
    for (const which of ['first', 'second']) {
      const { decision } = await signIn(world, made)
      if (!decision.accepted) return failed(`the ${which} sign-in with a counter of zero is refused: ${decision.text}`)
    }
    return refusesWrong(world)
  }),
  named('a synced passkey is accepted', '7.1.17', (world) =>
    bothWays(world, { ...UNKNOWN_MODEL, storage: 'cloud', counter: 'zero' }),
  ),
  ...[16, 64, 255, 1023].map((length) =>
    named(`a credential ID of ${length} octets is accepted`, '7.1.25', (world) =>
      bothWays(world, { ...UNKNOWN_MODEL, credentialIdLength: length }),
    ),
  ),
  named('a user name of 64 octets is accepted', '7.1.29', async (world) => {
    const { name } = world.user(64)
    if (Buffer.byteLength(name) !== 64) return skipped('its user_id has no room for such a name')
    if (!world.browser().namesUser('registration', 'user_id')) return NAMELESS
    return bothWays(world, UNKNOWN_MODEL, { name, displayName: LONG })
  }),
  ...NAMES.map(([what, displayName]) =>
    named(`a display name with ${what} is accepted`, '7.1.29', async (world) =>
      world.browser().namesUser('registration', 'display_name')
        ? bothWays(world, UNKNOWN_MODEL, { ...world.user(), displayName })
        : NAMELESS,
    ),
  ),
  named('an answer that was accepted once is refused the second time', '7.2.11', async (world) => {
    // Without a counter, since a counter could also cause the refusal.
    const made = await registerNewUser(world, { model: { ...UNKNOWN_MODEL, counter: 'zero' } })
    const { browser, response, decision } = await signIn(world, made)
    if (!decision.accepted) return vacuous(`the first time it was refused, too: ${decision.text}`)
    const again = await browser.signIn(response)
    // The browser is still signed in, so only the answer itself counts.
    return again.says ? failed('accepted, though its challenge was used up') : passed
  }),
  named('a registration with a credential ID of another user is refused', '7.1.26', async (world) => {
    const { id } = (await registerNewUser(world)).credential
    const credentialId = Buffer.from(id, 'base64url')
    const seams: Seams = {
      ...members({ id, rawId: id }),
      authenticatorData: ({ attested, ...draft }) =>
        attested === undefined ? draft : { ...draft, attested: { ...attested, credentialId } },
    }
    const { browser, user, decision } = await registerUser(world, { seams })
    if (decision.accepted) return acceptedWrongly({ word: 'credential_already_registered' })
    return refusedBeside(decision, (await registerUser(world, { browser, user })).decision)
  }),
  named('a credential of another user signs nobody in', '7.2.5', async (world) => {
    const [alice, mallory] = [await registerNewUser(world), await registerNewUser(world)]
    const isExcluded = mallory.options.excludeCredentials?.some(({ id }) => id === alice.credential.id) === true
    if (isExcluded || alice.credential.userHandle === mallory.credential.userHandle)
      return skipped(
        'the server has one user only: a second one gets the user handle or the excluded credentials of the first',
      )
    let options = await alice.browser.askSignIn(alice.user)
    const isNamed = alice.browser.namesUser('sign_in', 'user_id') || alice.browser.namesUser('sign_in', 'display_name')
    if (!isNamed && (options.allowCredentials ?? []).length === 0)
      return skipped('the server asks for no user: whoever has a credential may sign in')
    const hers = [{ type: 'public-key', id: mallory.credential.id }] as const
    if ((options.allowCredentials ?? []).length === 0 && world.target.calls?.who === undefined)
      return skipped('the server lists no credentials, and no call says who signed in')
    const tries = async (credential: Credential): Promise<Decision> => {
      const { response } = await createAssertion(world, { ...options, allowCredentials: hers }, { credential })
      return alice.browser.signIn(response)
    }
    const isIn = ({ accepted, isCalled }: Decision): boolean => accepted || isCalled?.(mallory.user.name) === true
    let decision = await tries(mallory.credential)
    if (!isIn(decision) && mallory.credential.discoverable) {
      // The server may have refused only Mallory's user handle: try again without it.
      options = await alice.browser.askSignIn(alice.user)
      decision = await tries({ ...mallory.credential, discoverable: false })
    }
    const twin = await signIn(world, alice)
    return isIn(decision) ? acceptedWrongly({ word: 'credential_not_allowed' }) : refusedBeside(decision, twin.decision)
  }),
]

export const WEBAUTHN_CASES: readonly WebauthnCase[] = [
  ...honestCases,
  ...algorithmCases,
  ...formatCases,
  ...tamperedCases,
  ...appIdCases,
  ...CEREMONIES.flatMap((ceremony) => [...mistakesOf(ceremony), ...unusual(ceremony), ...formsOf(ceremony)]),
]
