import type { Conditions, SideConditions } from '../../contract/conditions.ts'
import { errorOfCode, type Refusal, refuse } from '../../contract/errors.ts'
import type { RawResponse } from '../../http/message.ts'
import { below } from '../../protocol/random.ts'
import { type RequestContext, streamIn, workspaceWasClosed } from '../services.ts'

export type AppliedConditions = {
  /** Instead of carrying the call out. */
  readonly refusal?: Refusal
  /** The call is carried out, and nobody hears of it. */
  readonly lost: boolean
}

export const NOTHING_APPLIED: AppliedConditions = { lost: false }

/** Whether nothing is simulated, which is nearly always so. */
export const areNormal = (side: keyof Conditions, { services, workspace }: RequestContext): boolean => {
  const { latency_ms, fail_next, fail_percent, lose_next, lose_percent } = services.settings.conditions(workspace)[side]
  return latency_ms + fail_next + fail_percent + lose_next + lose_percent === 0
}

/** The one seam at which conditions apply: after the route is known, before anything is done. */
export const applyConditions = async (
  side: keyof Conditions,
  context: RequestContext,
  operation: string,
): Promise<AppliedConditions> => {
  const own = context.services.settings.conditions(context.workspace)[side]
  if (own.only.length > 0 && !own.only.includes(operation)) return NOTHING_APPLIED
  if (own.latency_ms > 0) {
    context.trace.conditions = `latency ${own.latency_ms} ms`
    await delay(context, own.latency_ms)
    if (workspaceWasClosed(context)) return { refusal: refuse('no_route'), lost: false }
  }
  if (await hits(side, context, 'fail')) {
    context.trace.conditions = `forced ${own.fail_code}`
    return {
      refusal: refuse(errorOfCode(own.fail_code) ?? 'fault_injected', { code: 'simulated' }),
      lost: false,
    }
  }
  if (await hits(side, context, 'lose')) {
    context.trace.conditions = 'answer lost'
    return { lost: true }
  }
  return NOTHING_APPLIED
}

/** What was carried out is answered, unless the conditions lose the answer. */
export const applyLoss = ({ lost }: AppliedConditions, response: RawResponse): RawResponse =>
  lost ? { ...response, lost: true } : response

const delay = (context: RequestContext, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const { wall } = context.services
    const cancel = wall.at(wall.now() + ms, resolve)
    context.request.gone.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })

const hits = async (side: keyof Conditions, context: RequestContext, what: 'fail' | 'lose'): Promise<boolean> => {
  const { settings } = context.services
  const conditions = settings.conditions(context.workspace)
  const own = conditions[side]
  const left = own[`${what}_next`]
  if (left > 0) {
    const changed: SideConditions = { ...own, [`${what}_next`]: left - 1 }
    await settings.countDown(context.workspace, { ...conditions, [side]: changed })
    return true
  }
  const percent = own[`${what}_percent`]
  return percent > 0 && below(streamIn(context, side, `conditions ${what}`), 100) < percent
}
