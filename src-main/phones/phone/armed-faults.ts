import type { PhoneFact } from '../../core/contract/events.ts'
import type { Reason } from '../../core/contract/reasons.ts'
import { toHex } from '../../core/protocol/bytes.ts'
import { type MessageKind, parseMessageAddress } from '../../core/protocol/message-address.ts'
import { below } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import {
  PHONE_ACTIONS,
  type PhoneActionName,
  type PhoneActionParameters,
} from '../authenticator/faults/phone-actions.ts'
import { type Fault, strikesAt } from '../authenticator/faults.ts'
import { checkFault, faultNamed } from './check-fault.ts'
import { modelOf } from './model.ts'
import type { PhoneCore } from './phone-core.ts'
import type { PhoneRecord, StruckFault } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { ArmedFault } from './phone-state.ts'
import type { NewFault, NewlyArmedFault } from './phones-interface.ts'

/** A signature fault for keys that this phone does not make would have no effect, and its test would pass wrongly. */
const misfit = (record: PhoneRecord, name: string): Reason | undefined => {
  const wanted = faultNamed(name)?.needs?.algorithms
  const { algorithms } = modelOf(record)
  if (wanted === undefined || algorithms.some((each) => wanted.includes(each))) return undefined
  return { code: 'fault_needs_key', params: { fault: name, wanted, made: algorithms } }
}

export const armFault = (core: PhoneCore, wanted: NewFault): Result<NewlyArmedFault, PhoneRefusal> => {
  const fine = checkFault(wanted)
  if (!fine.ok) return fine
  const definition = faultNamed(wanted.fault)
  const never = misfit(core.record(), wanted.fault)
  if (never !== undefined) return err(refusePhone('fault_not_felt', { reason: never }))
  const { fault, times = 1, probability, parameters } = wanted
  const armed: ArmedFault = {
    id: `flt_${toHex(core.random('fault-id').bytes(6))}`,
    fault,
    ...(probability === undefined ? { left: times } : { probability }),
    ...(parameters === undefined ? {} : { parameters }),
  }
  core.set({ faults: [...core.record().faults, armed] })
  core.tell('changed')
  return ok({ ...armed, strikes: { ceremony: definition?.ceremony ?? 'both', begun: begunWithout(core, definition) } })
}

/** The attempts under way to which the fault would apply, had it been armed before. */
const begunWithout = (core: PhoneCore, fault: Fault | undefined): readonly string[] => {
  if (fault === undefined) return []
  const { prompts, notifications } = core.record()
  const asked = prompts.map(({ prompt }) => prompt)
  const begun =
    stageOf(fault) === 'push' ? [...asked.filter(({ came_by }) => came_by === 'push'), ...notifications] : asked
  const strikes = ({ url }: { readonly url: string }): boolean => {
    const address = parseMessageAddress(url)
    return address.ok && strikesAt(fault, address.value.kind)
  }
  return begun.filter(strikes).map(({ msg_id }) => msg_id)
}

/** One, or all of them. False when there is no such. */
export const disarmFault = (core: PhoneCore, id?: string): boolean => {
  const { faults } = core.record()
  const left = id === undefined ? [] : faults.filter((armed) => armed.id !== id)
  if (id !== undefined && left.length === faults.length) return false
  core.set({ faults: left })
  core.tell('changed')
  return true
}

/** push: on its way into the phone; message: everything from opening it to the verdict. */
export type FaultStage = 'push' | 'message'

const stageOf = ({ apply }: Fault): FaultStage =>
  'phone' in apply && PHONE_ACTIONS[apply.phone.action] === 'push' ? 'push' : 'message'

const CHANCES = 1_000_000

/** The armed faults that apply to this attempt. Limited ones lose one attempt; random ones are drawn from the seed. */
export const strike = (
  core: PhoneCore,
  stage: FaultStage,
  { kind, msgId }: { readonly kind: MessageKind; readonly msgId: string },
): readonly StruckFault[] => {
  const { faults } = core.record()
  const struck = faults.filter(({ fault, probability }) => {
    const known = faultNamed(fault)
    if (known === undefined || stageOf(known) !== stage || !strikesAt(known, kind)) return false
    return probability === undefined || below(core.random('fault'), CHANCES) < probability * CHANCES
  })
  if (struck.length === 0) return []
  const worn = (armed: ArmedFault): readonly ArmedFault[] => {
    if (armed.left === undefined || !struck.includes(armed)) return [armed]
    return armed.left > 1 ? [{ ...armed, left: armed.left - 1 }] : []
  }
  core.set({ faults: faults.flatMap(worn) })
  core.tell('changed', undefined, {
    struck: {
      msg_id: msgId,
      stage,
      faults: struck.map(({ fault }) => fault),
      ...chosenParameters(struck),
    },
  })
  return struck.map(({ fault, parameters }) => ({ fault, ...(parameters === undefined ? {} : { parameters }) }))
}

const chosenParameters = (struck: readonly ArmedFault[]): Pick<NonNullable<PhoneFact['struck']>, 'parameters'> => {
  const chosen = struck.flatMap(({ fault, parameters }) => (parameters === undefined ? [] : [[fault, parameters]]))
  return chosen.length === 0 ? {} : { parameters: Object.fromEntries(chosen) }
}

export const definitionsOf = (struck: readonly StruckFault[]): readonly Fault[] =>
  struck.flatMap(({ fault }) => faultNamed(fault) ?? [])

export type StruckAction = { readonly action: PhoneActionName; readonly parameters: PhoneActionParameters }

/** The actions that happen at one moment: each has exactly one place that carries it out. */
export type ActionAt<Moment extends (typeof PHONE_ACTIONS)[PhoneActionName]> = {
  [Name in PhoneActionName]: (typeof PHONE_ACTIONS)[Name] extends Moment ? Name : never
}[PhoneActionName]

/** The phone's own actions; parameters of the armed fault override those of the table. */
export const actionsOf = (struck: readonly StruckFault[]): readonly StruckAction[] =>
  struck.flatMap(({ fault, parameters }) => {
    const apply = faultNamed(fault)?.apply
    if (apply === undefined || !('phone' in apply)) return []
    return { action: apply.phone.action, parameters: { ...apply.phone.parameters, ...parameters } }
  })
