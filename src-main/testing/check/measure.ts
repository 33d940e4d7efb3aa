import { Buffer } from 'node:buffer'
import { type ParityKey, PROFILE_ALGORITHMS, type Profile, profileSettings } from '../../core/contract/profile.ts'
import type { CreationOptionsJson } from '../../core/protocol/webauthn-json.ts'
import { algorithmByCose } from '../../phones/authenticator/algorithms.ts'
import { makeAttestationAuthority } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { CaseEnded, isSuccess, readEnvelope, sendRequest } from './exchange.ts'
import type { CheckOptions } from './run-check.ts'
import { beginRegistration, registerUser, scanRegistration } from './steps.ts'
import { type CheckTarget, createWorld, type World } from './world.ts'

/** The measurement of the credential limit stops at this number. */
const MAX_CREDENTIALS = 64
/** Tolerance: dates have whole seconds, and a request takes time to arrive. */
const NEAR_S = 2

type MeasureOptions = Pick<CheckOptions, 'profile' | 'random' | 'now'> & { readonly phones: boolean }

/** Bisects each limit. If the profile has the right one already, two calls confirm it. */
export const measureProfile = async (target: CheckTarget, options: MeasureOptions): Promise<Partial<Profile>> => {
  const { random, now, phones } = options
  const attestationKeys = makeAttestationAuthority({ random, now: now() })
  const run = `${Buffer.from(random.bytes(4)).toString('hex')}m`
  const world = createWorld(target, { ...options, attestationKeys, run, send: sendRequest })
  const found: [string, unknown][] = []
  for (const [key, find] of Object.entries(phones ? { ...MEASURES, ...PHONE_MEASURES } : MEASURES)) {
    const value = await find(world).catch((reason: unknown) => {
      if (reason instanceof CaseEnded) return undefined
      throw reason
    })
    if (value !== undefined) found.push([key, value])
  }
  return Object.fromEntries(found)
}

type Measured = ParityKey<'measured'>
/** Undefined where no limit was found. */
type Measure = (world: World) => Promise<unknown>

const longest =
  (key: 'user_id_max' | 'username_max' | 'display_name_max' | 'credential_name_max'): Measure =>
  (world) => {
    const { min, max } = profileSettings[key].rule
    const field = key.replace(/_max$/, '')
    return greatest({ min, max, usual: world.profile[key] }, async (length) => {
      const body = { user_id: world.fresh('u'), username: 'check', [field]: 'u'.repeat(length) }
      return isSuccess(await world.call('POST', '/rp/attestation/options', body))
    })
  }

const creationOptions = async (world: World) => {
  const { phone } = await scanRegistration(world)
  const key = phone.bound()?.public_key
  return key?.kind === 'registration' ? key.options : undefined
}

/** The values of the options that the profile has, in the order of the options. */
const listedIn =
  (key: 'hints' | 'attestation_formats' | 'extensions', listed: (options: CreationOptionsJson) => readonly string[]) =>
  async (world: World) => {
    const options = await creationOptions(world)
    const values: readonly string[] = profileSettings[key].rule.values
    return options && listed(options).filter((value) => values.includes(value))
  }

const PHONE_MEASURES = {
  hints: listedIn('hints', ({ hints = [] }) => hints),
  attestation_formats: listedIn('attestation_formats', ({ attestationFormats = [] }) => attestationFormats),
  extensions: listedIn('extensions', ({ extensions = {} }) =>
    Object.keys(extensions).map((name) => (name === 'credentialProtectionPolicy' ? 'credProtect' : name)),
  ),
  algorithms: async (world) => {
    const { pubKeyCredParams = [] } = (await creationOptions(world)) ?? {}
    const listed = pubKeyCredParams.map(({ alg }) => nameOf(alg))
    const known = PROFILE_ALGORITHMS.filter((name) => listed.includes(name))
    return known.length === 0 ? undefined : known
  },
  credentials_per_user: async (world) => {
    const [phone, user_id] = [await world.ownPhone(), world.fresh('u')]
    for (let count = 0; count < MAX_CREDENTIALS; count++) {
      const options = await world.call('POST', '/rp/attestation/options', { user_id, username: 'check' })
      if (readEnvelope(options).code === 40901) return count
      await registerUser(world, phone, user_id)
    }
    return undefined
  },
} as const satisfies Partial<Record<Measured, Measure>>

/** Each setting that the contract lists as measured is measured here or by a phone. */
const MEASURES = {
  message_ttl_s: async (world) => {
    const before = Math.floor(world.now() / 1000)
    const { expires_at } = (await beginRegistration(world)).data
    return typeof expires_at === 'number' ? nearestRound(expires_at - before - NEAR_S, NEAR_S) : undefined
  },
  user_id_max: longest('user_id_max'),
  username_max: longest('username_max'),
  display_name_max: longest('display_name_max'),
  credential_name_max: longest('credential_name_max'),
  clock_skew_s: async (world) => {
    const { min, max } = profileSettings.clock_skew_s.rule
    const holds = async (seconds: number): Promise<boolean> =>
      isSuccess(
        await world.call('GET', `/rp/credentials?user_id=${world.fresh('u')}`, undefined, { clock: -seconds * 1000 }),
      )
    const usual = world.profile.clock_skew_s
    if (usual > NEAR_S && (await holds(usual - NEAR_S)) && !(await holds(usual + NEAR_S))) return usual
    const most = await greatest({ min, max, usual }, holds)
    return most === undefined ? undefined : nearestRound(most, NEAR_S)
  },
} as const satisfies Record<Exclude<Measured, keyof typeof PHONE_MEASURES>, Measure>

const nameOf = (alg: number): string | undefined => {
  const name = algorithmByCose(alg)?.name
  return name === 'Ed25519' ? 'EdDSA' : name
}

type Range = { readonly min: number; readonly max: number; readonly usual: number }

const greatest = async ({ min, max, usual }: Range, holds: (n: number) => Promise<boolean>) => {
  let [low, high] = [min - 1, max + 1]
  if (await holds(usual)) {
    if (usual === max || !(await holds(usual + 1))) return usual
    low = usual + 1
  } else high = usual
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await holds(middle)) low = middle
    else high = middle
  }
  return low < min ? undefined : low
}

const ROUND = [3600, 60, 30, 10, 5, 1]

/** The roundest number between this one and `more` above it. */
const nearestRound = (least: number, more: number): number =>
  ROUND.map((step) => Math.ceil(least / step) * step).find((n) => n > 0 && n <= least + more + 1) ?? least
