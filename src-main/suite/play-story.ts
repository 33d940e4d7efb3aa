import { phoneTroubleIn } from '../contract/phone-trouble.ts'
import type { FaultStory } from '../contract/service-fault.ts'
import { type ServiceFaultName, serviceFaultOf } from '../contract/service-faults.ts'
import type { Finding, FindingReason, Played } from '../contract/suite-findings.ts'
import type { Data } from '../sdk/client.ts'
import { PhoneError } from '../sdk/errors.ts'
import type { Phone } from '../sdk/phone.ts'
import type { Workspace } from '../sdk/workspace.ts'
import { RpBroken, type RpDriver, type SuiteUser } from './rp-driver.ts'
import { broke, HELD, registers, type Stage, signsIn, stored } from './stage.ts'
import { STORIES } from './stories.ts'

type Armed = Data<'service.arm'>
export const skipped = (reason: FindingReason): Played => ({ verdict: 'skipped', reason })

export type PlayOptions = {
  readonly workspace: Workspace
  readonly driver: RpDriver
  /** How long the RP may take to notice what happened. */
  readonly patienceMs: number
  /** Users are named after it. */
  readonly prefix: string
  /** The user IDs, with `{name}` in them. */
  readonly userId?: string | undefined
  readonly signal?: AbortSignal
}

/** Plays a story, with a fault or without one, on a stage of its own, which is cleared afterwards. */
export const playStory = async (
  options: PlayOptions,
  story: FaultStory,
  fault: ServiceFaultName | undefined,
): Promise<Played> => {
  const { workspace, prefix, userId = '{name}-zoë' } = options
  const driver = options.driver.open()
  const phones: Phone[] = []
  const armed: Armed[] = []
  const name = [prefix, fault ?? 'honest', story].join('-')
  const named = (username: string): SuiteUser => ({ user_id: userId.replaceAll('{name}', username), username })
  const user = named(name)
  const newPhone = async (): Promise<Phone> => {
    const phone = await workspace.phone({ name })
    phones.push(phone)
    return phone
  }
  // Nothing that was done to the RP in this story can have broken it before its fault was armed.
  const failed = (reason: FindingReason): Finding =>
    broke(fault === undefined || armed.length > 0 ? reason : { code: 'broken_before', params: { reason } })
  try {
    const stage: Stage = {
      ...options,
      driver,
      user,
      phone: await newPhone(),
      fault,
      anotherPhone: newPhone,
      anotherUser: () => named(`${name}-2`),
      arm: async ({ times = 1, parameters, user_id = user.user_id } = {}) => {
        if (fault === undefined) return
        const only = callsOf(story, fault)
        const body = { fault, times, only, scope: { user_id }, ...(parameters === undefined ? {} : { parameters }) }
        armed.push(await workspace.client.call('service.arm', { body }))
      },
    }
    if (!OF_NEWCOMERS.has(story) && !(await registers(stage, driver.visitor())))
      return failed({ code: 'not_registered' })
    const finding = await STORIES[story](stage)
    if (finding.verdict === 'broke') return failed(finding.reason)
    if (finding.verdict !== 'held' || fault === undefined || story === 'passkeys-removed') return finding
    const struck = await hasStruck(workspace, armed)
    if (!struck && !MAY_BE_SPARED.has(story)) return skipped({ code: 'never_called' })
    await disarmAll(workspace, armed)
    return await worksAfterwards(stage, story)
  } catch (error) {
    if (error instanceof RpBroken) return failed(error.mistake)
    if (error instanceof PhoneError) {
      const { code, came, data } = error
      return failed({ code: 'phone_says', params: phoneTroubleIn(came ?? data) ?? { word: code } })
    }
    throw error
  } finally {
    await driver.close()
    await disarmAll(workspace, armed)
    for (const phone of phones) await phone.remove()
  }
}

/** Their user has no passkey when they begin. */
const OF_NEWCOMERS: ReadonlySet<FaultStory> = new Set([
  'registration-approved',
  'registration-rejected',
  'registration-ignored',
  'registration-begun',
])

/** Without the fault the user can sign in; one whose registration came to nothing can register. */
const worksAfterwards = async (stage: Stage, story: FaultStory): Promise<Finding> => {
  const { driver, user } = stage
  if ((await stored(stage)).length > 0 && (await signsIn(stage, driver.visitor())) === user.user_id) return HELD
  if (!OF_NEWCOMERS.has(story)) return broke({ code: 'locked_out' })
  return (await registers(stage, driver.visitor(), await stage.anotherPhone())) ? HELD : broke({ code: 'kept_out' })
}

/** Of the calls that a fault can strike those of the story. */
const callsOf = (story: FaultStory, fault: ServiceFaultName) => {
  const { on } = serviceFaultOf(fault)
  const kind = story.startsWith('registration-') ? 'attestation' : 'assertion'
  const own = on.filter((operation) => operation.startsWith(kind))
  const ofResults = own.filter((operation) => operation === `${kind}.result`)
  return ofResults.length > 0 ? ofResults : own.length > 0 ? own : on
}

/** An RP that never asks the service in these is right. */
const MAY_BE_SPARED: ReadonlySet<FaultStory> = new Set(['sign-in-revisited', 'registration-by-stranger'])

/** What counts has struck when it is used up, in part at least. */
const hasStruck = async ({ client }: Workspace, armed: readonly Armed[]): Promise<boolean> => {
  const { faults } = await client.call('service.faults')
  return armed.some(({ id, left }) => (faults.find((each) => each.id === id)?.left ?? 0) < (left ?? 1))
}

const disarmAll = async ({ client }: Workspace, armed: readonly Armed[]): Promise<void> => {
  const { faults } = await client.call('service.faults')
  for (const { id } of faults)
    if (armed.some((each) => each.id === id)) await client.call('service.disarm', { params: { id } })
}
