import { FAULT_NAMES, type FaultName } from '../../../core/contract/faults.ts'
import { refusingStep } from '../../../core/contract/judge/steps.ts'
import { affects, type Ceremony } from '../../../phones/authenticator/faults/fault.ts'
import { expectedOutcome, FAULTS } from '../../../phones/authenticator/faults.ts'
import { asWarning, type Case, ownPhoneCase } from '../case.ts'
import { isSuccess, readEnvelope, responseLine, successData } from '../exchange.ts'
import { failed, passed, passIf, vacuous } from '../finding.ts'
import {
  beginRegistration,
  beginSignIn,
  listCredentials,
  registerOwnPhone,
  signInOwnPhone,
  userCase,
} from '../steps.ts'

/** Registers honestly, then sends an answer with one mistake: the service must fail its message, with an error word. */
const refusesFault = (fault: FaultName, ceremony: Ceremony): Case => ({
  step: refusingStep(String(expectedOutcome(FAULTS[fault], ceremony)), ceremony),
  name: `a ${ceremony === 'registration' ? 'registration' : 'sign-in'} with ${fault} fails`,
  needs: ['own-phone'],
  applies: ({ counter_regression }) => counter_regression === 'fail' || !fault.startsWith('counter-'),
  run: async (world) => {
    const { phone, user } = await registerOwnPhone(world)
    const isRegistration = ceremony === 'registration'
    const message = isRegistration ? await beginRegistration(world) : await beginSignIn(world, user)
    successData(await phone.bind(message.msgId))
    const answer = await phone.answer(message.msgId, fault)
    const result = await message.readResult()
    if (!isSuccess(result)) return failed(`the result: ${responseLine(result)}`)
    const { status, error } = readEnvelope(result).data
    const { user_id } = message.user
    const kept = isRegistration && status !== 'success' ? (await listCredentials(world, user_id)).length : 0
    if (kept > 0) return failed(`status ${JSON.stringify(status)}, and the user has ${kept} credentials`)
    if (status === 'fail') {
      const hasWord = /^[a-z][a-z0-9_]*(:|$)/.test(String(error))
      return passIf(hasWord, `the error does not begin with a machine word: ${JSON.stringify(error)}`)
    }
    // A refused call leaves the message unchanged; either way, no user is signed in.
    if (status === 'bind' && !isSuccess(answer)) return passed
    return failed(`expected status fail; got ${JSON.stringify(status)}`)
  },
})

/**
 * Faulty input that can still be read: WebAuthn lets a service refuse it, but does not require that. CTAP2's order of
 * an attestation object's members binds only its writer, and Level 3 only reserves tokenBinding.
 */
const LENIENT: ReadonlySet<FaultName> = new Set([
  'client-data-duplicate-member',
  'key-extra-member',
  'attestation-object-extra-member',
  'attestation-object-unordered',
  'token-binding-malformed',
  'extension-results-missing',
  'authenticator-data-copy-differs',
  'public-key-copy-differs',
  'algorithm-copy-differs',
  'transports-mistyped',
])

/** Mistakes in the signed data that every service can see, with any trust settings. */
const SEEN: readonly FaultName[] = FAULT_NAMES.filter((name) => {
  const { apply, expected, needs } = FAULTS[name]
  return 'seams' in apply && expected !== 'success' && needs === undefined && typeof expected === 'string'
})

const of = (ceremony: Ceremony) =>
  SEEN.filter((name) => affects(FAULTS[name], ceremony)).map((name) =>
    LENIENT.has(name) ? asWarning(refusesFault(name, ceremony)) : refusesFault(name, ceremony),
  )

/** One mistake that fails at an early step, and one that fails at a late step. */
const FAILING: readonly FaultName[] = ['challenge-wrong', 'attestation-signature-tampered']

/** docs/interface/phone-app.md: what is judged, and that a mistake fails the message. */
export const ceremonyCases: readonly Case[] = [
  userCase('a sign-in names the user that was asked for', async ({ phone, user }, world) => {
    const data = await signInOwnPhone(world, phone, user)
    return passIf(data.status === 'success' && data.user_id === user.user_id, JSON.stringify(data))
  }),
  {
    ...userCase('a sign-in whose counter does not grow fails', async ({ phone, user }, world) => {
      const earlier = phone.credentials()
      const { status: first } = await signInOwnPhone(world, phone, user)
      if (first !== 'success') return vacuous(`an honest sign-in got ${JSON.stringify(first)}`)
      phone.restore(earlier)
      const { status: copied } = await signInOwnPhone(world, phone, user)
      return passIf(copied === 'fail', `status ${JSON.stringify(copied)}`)
    }),
    step: '7.2.22',
    applies: ({ counter_regression }) => counter_regression === 'fail',
  },
  userCase('a registration that fails stores no credential', async ({ phone, user }, world) => {
    const before = (await listCredentials(world, user.user_id)).length
    if (before !== 1) return vacuous(`one that succeeds is followed by ${before} credentials`)
    for (const fault of [...FAILING, undefined]) {
      const { msgId, resultData } = await beginRegistration(world, user.user_id)
      successData(await phone.bind(msgId))
      await (fault === undefined ? phone.reject(msgId) : phone.answer(msgId, fault))
      const { status } = await resultData()
      const what = fault ?? 'a rejection'
      if (status !== 'fail') return vacuous(`${what}: status ${JSON.stringify(status)}`)
      const { length } = await listCredentials(world, user.user_id)
      if (length !== before) return failed(`after ${what} the user has ${length} credentials`)
    }
    return passed
  }),
  {
    ...ownPhoneCase('a credential of somebody else signs nobody in', async (world) => {
      const [alice, mallory] = [await registerOwnPhone(world), await registerOwnPhone(world)]
      const { msgId, resultData } = await beginSignIn(world, alice.user)
      successData(await mallory.phone.bind(msgId))
      await mallory.phone.answer(msgId, undefined, { anyCredential: true })
      const { status } = await resultData()
      return passIf(status !== 'success', `status ${JSON.stringify(status)}`)
    }),
    step: '7.2.5',
  },
  ...of('registration'),
  ...of('authentication'),
]
