import {
  type Conditions,
  isNormal,
  isSameScope,
  normalConditions,
  type SideConditions,
  withScoped,
} from '../../contract/conditions.ts'
import { errorOfCode, type Refusal, refuse } from '../../contract/errors.ts'
import type { RawResponse } from '../../http/message.ts'
import { below } from '../../protocol/random.ts'
import { type RequestContext, streamIn, workspaceWasClosed } from '../services.ts'
import { isInScope, type Subject } from './subject.ts'

export type AppliedConditions = {
  /** Instead of carrying the call out. */
  readonly refusal?: Refusal
  /** The call is carried out, and nobody hears of it. */
  readonly lost: boolean
}

export const NOTHING_APPLIED: AppliedConditions = { lost: false }

/** Whether nothing is simulated for everybody, which is nearly always so. */
export const areNormal = (side: Side, { services, workspace }: RequestContext): boolean =>
  isNormal(services.settings.conditions(workspace)[side])

/** Whether no user, phone or message has conditions of its own. */
export const areUnscoped = ({ services, workspace }: RequestContext): boolean =>
  services.settings.conditions(workspace).scoped === undefined

/** The one seam at which conditions apply: after the route is known, before anything is done. */
export const applyConditions = (side: Side, context: RequestContext, operation: string): Promise<AppliedConditions> => {
  const { settings } = context.services
  const read = (): Conditions => settings.conditions(context.workspace)
  return applyAt(context, operation, {
    side,
    read: () => read()[side],
    write: (changed) => settings.countDown(context.workspace, { ...read(), [side]: changed }),
  })
}

/** Those of the scopes that the call is in: as soon as it is known whom it is about, before anything is done. */
export const applyScoped = async (
  side: Side,
  context: RequestContext,
  operation: string,
  subject: Subject,
): Promise<AppliedConditions> => {
  const { settings } = context.services
  const read = (): Conditions => settings.conditions(context.workspace)
  let lost = false
  for (const { scope } of read().scoped ?? []) {
    if (!isInScope(context, scope, subject)) continue
    const entry = (): Conditions => read().scoped?.find((each) => isSameScope(each.scope, scope)) ?? normalConditions
    const applied = await applyAt(context, operation, {
      side,
      read: () => entry()[side],
      write: (changed) =>
        settings.countDown(context.workspace, withScoped(read(), scope, { ...entry(), [side]: changed }) ?? read()),
    })
    if (applied.refusal !== undefined) return applied
    lost ||= applied.lost
  }
  return { lost }
}

type Side = 'rp' | 'app'

/** Where the conditions of one side stand, and their counters go down. */
type Place = {
  readonly side: Side
  readonly read: () => SideConditions
  readonly write: (changed: SideConditions) => Promise<void>
}

const applyAt = async (context: RequestContext, operation: string, place: Place): Promise<AppliedConditions> => {
  const own = place.read()
  if (own.only.length > 0 && !own.only.includes(operation)) return NOTHING_APPLIED
  if (own.latency_ms > 0) {
    context.trace.conditions = `latency ${own.latency_ms} ms`
    await delay(context, own.latency_ms)
    if (workspaceWasClosed(context)) return { refusal: refuse('no_route'), lost: false }
  }
  if (await hits(context, place, 'fail')) {
    context.trace.conditions = `forced ${own.fail_code}`
    return {
      refusal: refuse(errorOfCode(own.fail_code) ?? 'fault_injected', { code: 'simulated' }),
      lost: false,
    }
  }
  if (await hits(context, place, 'lose')) {
    context.trace.conditions = 'answer lost'
    return { lost: true }
  }
  return NOTHING_APPLIED
}

/** What was carried out is answered, unless the conditions lose the answer. */
export const applyLoss = (response: RawResponse, ...applied: readonly AppliedConditions[]): RawResponse =>
  applied.some(({ lost }) => lost) ? { ...response, lost: true } : response

const delay = (context: RequestContext, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const { wall } = context.services
    const cancel = wall.at(wall.now() + ms, resolve)
    context.request.gone.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })

const hits = async (context: RequestContext, { side, read, write }: Place, what: 'fail' | 'lose'): Promise<boolean> => {
  const own = read()
  const left = own[`${what}_next`]
  if (left > 0) {
    await write({ ...own, [`${what}_next`]: left - 1 })
    return true
  }
  const percent = own[`${what}_percent`]
  return percent > 0 && below(streamIn(context, side, `conditions ${what}`), 100) < percent
}
