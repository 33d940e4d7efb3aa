import type { ControlPhone } from '../../core/contract/control/states.ts'
import { addStep, type Course } from './course.ts'

/** A fictional number: for an account whose own number the recording does not have. */
export const MADE_UP = '13800000000'

/** Records a new phone: in the head of the file, or as a step if steps came before. */
export const recordMadePhone = (course: Course, phone: ControlPhone): void => {
  const parts = phoneParts(course, phone)
  course.phones.set(phone.id, phone)
  const as = course.phoneNames.give(phone.id, phone.name)
  if (course.headIsOpen) course.headPhones.set(as, parts)
  else addStep(course, 'new_phone', { as, ...parts })
}

/** The parts of a phone, as `phones` and `new_phone` take them. */
export const phoneParts = (course: Course, phone: ControlPhone): Readonly<Record<string, unknown>> => {
  const { name, model, algorithm, storage, behaviour } = phone
  return {
    name,
    ...ownerOf(course, phone),
    model,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(storage === 'cloud' ? {} : { storage }),
    ...(behaviour.answer === 'ask' ? {} : { behaviour }),
  }
}

const ownerOf = ({ index, phones, phoneNames }: Course, { id, device_id, account }: ControlPhone) => {
  const known = index.accounts.get(device_id ?? '')
  const all = [...phones.values()]
  const own = all.findIndex((other) => other.id === id)
  // Phones are made in this order: one can share only the account of one before it.
  const sharer = (own === -1 ? all : all.slice(0, own)).find(
    (other) => known !== undefined && index.accounts.get(other.device_id ?? '')?.account === known.account,
  )
  if (sharer !== undefined) return { same_account_as: phoneNames.of(sharer.id) }
  return { account: { name: account.name, phone: known?.phone ?? MADE_UP } }
}
