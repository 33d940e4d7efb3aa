import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { Refusal } from '../../core/contract/errors.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { type FaultParameter, type FaultyAnswer, serviceFaultOf } from '../../core/contract/service-faults.ts'
import { isObject, type JsonObject, mapValues } from '../../core/protocol/json.ts'
import { encodeMessageAddress } from '../../core/protocol/message-address.ts'
import { randomBelow } from '../../core/protocol/random.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { RawResponse } from '../../http/message.ts'
import { isInScope, type Subject } from '../conditions/subject.ts'
import type { ParsedInput } from '../request/parse-input.ts'
import type { RequestContext } from '../services.ts'
import { countDownFaults } from './arm-service-fault.ts'
import { FALSE_ANSWERS, type FaultContext, type FaultEffect } from './false-answers.ts'

export type CallFaultTransforms = NonNullable<Awaited<ReturnType<typeof faultsFor>>>

type Called = {
  readonly operation: RpOperation
  readonly rp: string | undefined
  readonly input: ParsedInput
  readonly subject: Subject
  /** True if a fault may replace the input. */
  readonly mayAsk: boolean
}

/** Faults armed for this call. Its answer decides which of them are triggered. */
export const faultsFor = async (context: RequestContext, { operation, rp, input, subject, mayAsk }: Called) => {
  const { services, workspace } = context
  const meant: ArmedServiceFault[] = []
  for (const each of services.settings.faults(workspace)) {
    const { fault, only, scope } = each
    const isOnIt = serviceFaultOf(fault).on.includes(operation) && (only.length === 0 || only.includes(operation))
    if (isOnIt && (mayAsk || worksOf(fault).ask === undefined) && (await isInScope(context, scope, subject)))
      meant.push(each)
  }
  if (meant.length === 0) return undefined
  const about: Omit<FaultContext, 'parameters'> = {
    operation,
    input,
    user_id: subject.user_id ?? '',
    baseUrl: services.addresses.baseUrl(workspace),
    otherUrl: rp === undefined ? undefined : await addressOfAnother(context, rp, subject),
    wall: services.wall,
  }
  // A fault that changes the input is triggered whatever the outcome.
  const asked = await triggerFaults(context, meant, ({ fault }) => worksOf(fault).ask !== undefined)
  return {
    ask: (honest: ParsedInput): ParsedInput =>
      asked.reduce((changed, { fault }) => worksOf(fault).ask?.(changed) ?? changed, honest),
    change: async (honest: RawResponse, result: Result<unknown, Refusal>): Promise<RawResponse> => {
      const afterwards = await triggerFaults(
        context,
        meant,
        ({ fault }) => worksOf(fault).ask === undefined && fits(serviceFaultOf(fault).when, result),
      )
      const triggered = [...asked, ...afterwards]
      if (triggered.length === 0) return honest
      context.trace.faults = {
        faults: triggered.map(({ id, fault, parameters }) => ({ id, fault, ...(parameters && { parameters }) })),
        honest: { status: honest.status, body: String(honest.body) },
      }
      return applyFaults(
        honest,
        triggered.map((each) => [worksOf(each.fault), { ...about, parameters: parametersOf(each) }]),
      )
    },
  }
}

const worksOf = (fault: ArmedServiceFault['fault']): FaultEffect => FALSE_ANSWERS[fault]

const CHANCES = 1_000_000

/** Draws separately for each answer that the fault could change. */
const isDrawn = ({ services: { random }, workspace }: RequestContext, { probability }: ArmedServiceFault): boolean =>
  probability === undefined ||
  randomBelow(random.stream(workspace, 'rp', 'service fault'), CHANCES) < probability * CHANCES

/** Triggers the faults that are still armed: another call may have used some up in the meantime. */
const triggerFaults = async (
  context: RequestContext,
  meant: readonly ArmedServiceFault[],
  isTriggered: (fault: ArmedServiceFault) => boolean,
): Promise<readonly ArmedServiceFault[]> => {
  const { settings } = context.services
  const ids = new Set(meant.map(({ id }) => id))
  const drawn = settings
    .faults(context.workspace)
    .filter((each) => ids.has(each.id) && isTriggered(each) && isDrawn(context, each))
  if (drawn.every(({ left }) => left === undefined)) return drawn
  let triggered: readonly ArmedServiceFault[] = []
  await settings.changeFaults(context.workspace, (armed) => {
    triggered = armed.filter(({ id }) => drawn.some((each) => each.id === id))
    return triggered.length === 0 ? undefined : countDownFaults(armed, triggered)
  })
  return triggered
}

const fits = (when: FaultyAnswer, result: Result<unknown, Refusal>): boolean => {
  if (when === 'read') return !result.ok && result.error.name === 'result_already_read'
  if (!result.ok) return false
  const status = isObject(result.value) ? result.value.status : undefined
  if (when === 'any' || status === undefined) return true
  return when === 'pending' ? status === 'init' || status === 'bind' : status === when
}

const parametersOf = ({ fault, parameters }: ArmedServiceFault): FaultContext['parameters'] => ({
  ...mapValues(serviceFaultOf(fault).parameters ?? {}, ({ preset }: FaultParameter) => preset),
  ...(parameters as FaultContext['parameters'] | undefined),
})

const addressOfAnother = async ({ services, workspace }: RequestContext, rp: string, { user_id }: Subject) => {
  const open = await services.store.messages.list(workspace, { rp, state: 'init', limit: 10 })
  const other = open.find((message) => message.kind === 'authentication' && message.user_id !== user_id)
  if (other === undefined) return undefined
  return encodeMessageAddress({ baseUrl: services.addresses.baseUrl(workspace), kind: other.kind, msgId: other.id })
}

type Triggered = readonly (readonly [works: FaultEffect, about: FaultContext])[]

/** Applies the faults stage by stage, from the facts to the octets. Each stage applies all faults before the next. */
export const applyFaults = (honest: RawResponse, triggered: Triggered): RawResponse => {
  const whole: JsonObject = JSON.parse(String(honest.body))
  const lied = triggered.some(([{ facts }]) => facts !== undefined)
  const data = triggered.reduce<unknown>(
    (data, [{ facts }, about]) => (facts === undefined ? data : facts(isObject(data) ? data : {}, about)),
    whole.data,
  )
  // If a fault changed the facts, even a refusal is answered as a success.
  const envelope = triggered.reduce<unknown>(
    (sent, [works, about]) => (works.envelope === undefined || !isObject(sent) ? sent : works.envelope(sent, about)),
    lied ? { code: 0, data, error: '' } : whole,
  )
  const changed = lied || triggered.some(([works]) => works.envelope !== undefined)
  const body = triggered.reduce<string | Uint8Array>(
    (written, [{ text }, about]) =>
      text === undefined || typeof written !== 'string' ? written : text(written, about),
    changed ? JSON.stringify(envelope) : honest.body,
  )
  let answer: RawResponse = { ...honest, ...(lied ? { status: 200 } : {}), body }
  for (const [{ head }, about] of triggered) if (head !== undefined) answer = { ...answer, ...head(answer, about) }
  for (const [{ wire }, about] of triggered) if (wire !== undefined) answer = wire(answer, about)
  return answer
}
