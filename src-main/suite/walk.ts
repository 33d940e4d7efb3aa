import {
  type FaultStory,
  SERVICE_FAULT_NAMES,
  type ServiceFaultName,
  serviceFaultOf,
} from '../contract/service-faults.ts'
import type { Data } from '../sdk/client.ts'
import type { Phone } from '../sdk/phone.ts'
import type { Workspace } from '../sdk/workspace.ts'
import { RpBroken, type RpDriver } from './rp-driver.ts'
import { broke, type Finding, HELD, registers, type Stage, signsIn } from './stage.ts'
import { STORIES } from './stories.ts'

/** What became of the RP under one fault. */
export type FaultFinding = {
  readonly fault: ServiceFaultName
  /** `skipped`: the RP cannot do what the fault is about, or the story does not hold even without it. */
  readonly verdict: Finding['verdict'] | 'skipped'
  readonly why: string
}

type Armed = Data<'service.arm'>
type Played = Pick<FaultFinding, 'verdict' | 'why'>

export type WalkOptions = {
  readonly workspace: Workspace
  readonly driver: RpDriver
  readonly faults?: readonly ServiceFaultName[]
  /** How long the RP may take to notice what happened. */
  readonly patienceMs: number
  /** So many stories at once. */
  readonly parallel: number
  /** Users are named after it. */
  readonly prefix: string
  /** The user IDs, with `{name}` in them. */
  readonly userId?: string | undefined
  readonly signal?: AbortSignal
  readonly onFinding?: (finding: FaultFinding) => void
}

/** Plays every story without a fault, and then each fault on its story. */
export const walkFaults = async (options: WalkOptions): Promise<readonly FaultFinding[]> => {
  const faults = options.faults ?? SERVICE_FAULT_NAMES
  const stories = [...new Set(faults.map((name) => serviceFaultOf(name).story))]
  const honest = new Map<FaultStory, Played>()
  await inParallel(stories, options, async (story) => {
    if (isPossible(story, options.driver)) honest.set(story, await play(options, story, undefined))
  })
  const findings = new Map<ServiceFaultName, FaultFinding>()
  await inParallel(faults, options, async (fault) => {
    const { story } = serviceFaultOf(fault)
    const without = honest.get(story)
    const finding: FaultFinding =
      without === undefined
        ? { fault, verdict: 'skipped', why: 'The RP does not offer this.' }
        : without.verdict !== 'held'
          ? { fault, verdict: 'skipped', why: `Without any fault: ${without.why}` }
          : { fault, ...(await play(options, story, fault)) }
    findings.set(fault, finding)
    options.onFinding?.(finding)
  })
  return faults.flatMap((fault) => findings.get(fault) ?? [])
}

const isPossible = (story: FaultStory, { can }: RpDriver): boolean =>
  story === 'listed' ? can.passkeys : story === 'removed' ? can.remove : true

const inParallel = async <T>(
  all: readonly T[],
  { parallel, signal }: WalkOptions,
  work: (one: T) => Promise<void>,
): Promise<void> => {
  const left = all.values()
  const workers = Array.from({ length: parallel }, async () => {
    for (const one of left) {
      signal?.throwIfAborted()
      await work(one)
    }
  })
  await Promise.all(workers)
}

/** On a stage of its own, which is cleared afterwards. */
const play = async (options: WalkOptions, story: FaultStory, fault: ServiceFaultName | undefined): Promise<Played> => {
  const { workspace, driver, prefix, userId = '{name}-zoë' } = options
  const phones: Phone[] = []
  const armed: Armed[] = []
  const name = `${prefix}-${fault ?? `honest-${story}`}`
  const user = { user_id: userId.replaceAll('{name}', name), username: name }
  const newPhone = async (): Promise<Phone> => {
    const phone = await workspace.phone({ name })
    phones.push(phone)
    return phone
  }
  try {
    const stage: Stage = {
      ...options,
      user,
      phone: await newPhone(),
      fault,
      anotherPhone: newPhone,
      arm: async ({ times = 1, parameters, user_id = user.user_id } = {}) => {
        if (fault === undefined) return
        const only = callsOf(story, fault)
        const body = { fault, times, only, scope: { user_id }, ...(parameters === undefined ? {} : { parameters }) }
        armed.push(await workspace.client.call('service.arm', { body }))
      },
    }
    if (!(await registers(stage, driver.visitor()))) return broke('The user could not be registered.')
    const finding = await STORIES[story](stage)
    if (finding.verdict !== 'held' || fault === undefined || story === 'removed') return finding
    const struck = await hasStruck(workspace, armed)
    if (!struck && !MAY_BE_SPARED.has(story))
      return { verdict: 'skipped', why: 'The RP never made the call that it strikes.' }
    await disarmAll(workspace, armed)
    const after = await signsIn(stage, driver.visitor())
    return after === user.user_id ? HELD : broke('Afterwards, without any fault, the user cannot sign in.')
  } catch (error) {
    if (error instanceof RpBroken) return broke(error.message)
    throw error
  } finally {
    await disarmAll(workspace, armed)
    for (const phone of phones) await phone.remove()
  }
}

/** Of the calls that a fault can strike those of the story. */
const callsOf = (story: FaultStory, fault: ServiceFaultName) => {
  const { on } = serviceFaultOf(fault)
  const kind = story === 'unregistered' || story === 'taken-over' ? 'attestation' : 'assertion'
  const ofResults = on.filter((operation) => operation === `${kind}.result`)
  return ofResults.length > 0 ? ofResults : on
}

/** An RP that never asks the service in these is right. */
const MAY_BE_SPARED: ReadonlySet<FaultStory> = new Set(['revisited', 'taken-over'])

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
