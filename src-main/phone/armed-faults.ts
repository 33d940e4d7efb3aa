import type { MessageKind } from '../protocol/message-address.ts'
import { below } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { PhoneCore } from './phone-core.ts'
import { type FaultParameter, phoneFaultNamed } from './phone-faults.ts'
import type { StruckFault } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { ArmedFault } from './phone-state.ts'
import type { NewFault } from './phones-interface.ts'

export type FaultStage = 'message' | 'push'

const LONGEST_MS = 86_400_000

const fitsParameter = (parameter: FaultParameter | undefined, value: unknown): boolean => {
  if (parameter?.kind === 'ms') return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LONGEST_MS
  return parameter?.kind === 'msg_id' && typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value)
}

const checkFault = ({ fault, times, probability, parameters = {} }: NewFault): Result<void, PhoneRefusal> => {
  const row = phoneFaultNamed(fault)
  if (row === undefined) return err(refusePhone('no_such_fault', { detail: `Got ${fault}.` }))
  const timesFit = times === undefined || (Number.isInteger(times) && times >= 1 && times <= 1000)
  const probabilityFits = probability === undefined || (probability >= 0 && probability <= 1)
  if (!timesFit || !probabilityFits || (times !== undefined && probability !== undefined)) {
    return err(refusePhone('invalid_fault'))
  }
  const wrong = Object.entries(parameters).find(([key, value]) => !fitsParameter(row.parameters?.[key], value))
  return wrong === undefined
    ? ok(undefined)
    : err(refusePhone('invalid_fault', { detail: `"${wrong[0]}" does not fit.` }))
}

export const armFault = (core: PhoneCore, wanted: NewFault): Result<ArmedFault, PhoneRefusal> => {
  const fine = checkFault(wanted)
  if (!fine.ok) return fine
  const { fault, times = 1, probability, parameters } = wanted
  const [a = 0, b = 0, c = 0, d = 0] = core.random('fault-id').bytes(4)
  const armed: ArmedFault = {
    id: `flt_${[a, b, c, d].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    fault,
    ...(probability === undefined ? { left: times } : { probability }),
    ...(parameters === undefined ? {} : { parameters }),
  }
  core.set({ faults: [...core.record().faults, armed] })
  core.tell('changed')
  return ok(armed)
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

const CHANCES = 1_000_000

/** The armed faults that strike this attempt. Those that count lose one attempt; others are drawn from the seed. */
export const strike = (core: PhoneCore, stage: FaultStage, kind: MessageKind): readonly StruckFault[] => {
  const { faults } = core.record()
  const struck = faults.filter(({ fault, probability }) => {
    const row = phoneFaultNamed(fault)
    if (row?.strikes !== stage || !row.ceremonies.includes(kind)) return false
    return probability === undefined || below(core.random('fault'), CHANCES) < probability * CHANCES
  })
  if (struck.length === 0) return []
  const worn = (armed: ArmedFault): readonly ArmedFault[] => {
    if (armed.left === undefined || !struck.includes(armed)) return [armed]
    return armed.left > 1 ? [{ ...armed, left: armed.left - 1 }] : []
  }
  core.set({ faults: faults.flatMap(worn) })
  core.tell('changed', struck.map(({ fault }) => phoneFaultNamed(fault)?.title ?? fault).join(' '))
  return struck.map(({ fault, parameters }) => ({ fault, ...(parameters === undefined ? {} : { parameters }) }))
}

export const isStruck = (struck: readonly StruckFault[], name: string): boolean =>
  struck.some(({ fault }) => fault === name)

/** A time parameter as armed, else as the table has it. */
export const msOf = ({ fault, parameters }: StruckFault): number => {
  const row = phoneFaultNamed(fault)?.parameters?.ms
  const given = parameters?.ms
  return typeof given === 'number' ? given : row?.kind === 'ms' ? row.default : 0
}
