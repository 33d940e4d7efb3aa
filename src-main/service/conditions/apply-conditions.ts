import { isNormal, type SideConditions, sidesIn, withSides } from '../../core/contract/conditions.ts'
import { errorNameOf, type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Scope } from '../../core/contract/scope.ts'
import { randomBelow } from '../../core/protocol/random.ts'
import type { RawResponse } from '../../http/message.ts'
import { type RequestContext, workspaceWasClosed } from '../services.ts'
import { isInScope, type Subject } from './subject.ts'

/** Applies conditions after the route is known and before the call runs. A refusal replaces the call. */
export const applyConditions = (
  side: Side,
  context: RequestContext,
  operation: string,
): Promise<Refusal | undefined> | undefined => {
  if (isNormal(context.services.settings.conditions(context.workspace)[side])) return undefined
  return applyAt(context, operation, placeIn(context, side))
}

/** Applies the conditions of the call's scopes, after its subject is known and before the call runs. */
export const applyScoped = async (
  side: Side,
  context: RequestContext,
  operation: string,
  subject: Subject,
): Promise<Refusal | undefined> => {
  for (const { scope } of context.services.settings.conditions(context.workspace).scoped ?? []) {
    if (!(await isInScope(context, scope, subject))) continue
    const refusal = await applyAt(context, operation, placeIn(context, side, scope))
    if (refusal !== undefined) return refusal
  }
  return undefined
}

type Side = 'rp' | 'app'

type Place = {
  readonly side: Side
  readonly read: () => SideConditions
  /** False if another call used up the counter. */
  readonly lower: (count: (own: SideConditions) => SideConditions | undefined) => Promise<boolean>
}

/** Finds one side of the conditions of a scope or, without a scope, of the conditions for every call. */
const placeIn = ({ services: { settings }, workspace }: RequestContext, side: Side, scope?: Scope): Place => ({
  side,
  read: () => sidesIn(settings.conditions(workspace), scope)[side],
  lower: (count) =>
    settings.countDown(workspace, (before) => {
      const sides = sidesIn(before, scope)
      const changed = count(sides[side])
      return changed && withSides(before, scope, { ...sides, [side]: changed })
    }),
})

const applyAt = async (context: RequestContext, operation: string, place: Place): Promise<Refusal | undefined> => {
  const own = place.read()
  if (own.only.length > 0 && !own.only.includes(operation)) return undefined
  if (own.latency_ms > 0) {
    const { latency_ms = 0 } = context.trace.conditions ?? {}
    traceConditions(context, { latency_ms: latency_ms + own.latency_ms })
    await delay(context, own.latency_ms)
    if (workspaceWasClosed(context)) return refuse('no_route')
  }
  if (await hits(context, place, 'fail')) {
    traceConditions(context, { failed: own.fail_code })
    return refuse(errorNameOf(own.fail_code) ?? 'fault_injected', { code: 'simulated' })
  }
  if (await hits(context, place, 'lose')) traceConditions(context, { lost: true })
  return undefined
}

/** Adds conditions to the trace, where the call's event and applyLoss read them. */
const traceConditions = ({ trace }: RequestContext, done: RequestContext['trace']['conditions']): void => {
  trace.conditions = { ...trace.conditions, ...done }
}

/** A lost call gets no answer, whether it was carried out or refused. */
export const applyLoss = ({ trace }: RequestContext, response: RawResponse): RawResponse =>
  trace.conditions?.lost === true ? { ...response, lost: true } : response

const delay = (context: RequestContext, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const { wall } = context.services
    const cancel = wall.at(wall.now() + ms, resolve)
    context.request.gone.addEventListener('abort', () => {
      cancel()
      resolve()
    })
  })

const hits = async (context: RequestContext, { side, read, lower }: Place, what: 'fail' | 'lose'): Promise<boolean> => {
  const next = `${what}_next` as const
  const count = (own: SideConditions) => (own[next] > 0 ? { ...own, [next]: own[next] - 1 } : undefined)
  if (read()[next] > 0 && (await lower(count))) return true
  const percent = read()[`${what}_percent`]
  const { services, workspace } = context
  return percent > 0 && randomBelow(services.random.stream(workspace, side, `conditions ${what}`), 100) < percent
}
