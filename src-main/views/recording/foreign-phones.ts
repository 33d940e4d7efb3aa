import type { BenchEvent } from '../../core/contract/events.ts'
import { wordOf } from '../../core/contract/judge/failure-words.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import { addNote, addStep, type Course, messageName } from './course.ts'
import { MADE_UP } from './made-phone.ts'

type MessageEvent = Extract<BenchEvent, { readonly kind: 'message' }>

/** A foreign phone app is known by its calls to the service; a virtual phone of its account stands in for it. */
export const isForeign = ({ index }: Course, { device_id }: MessageEvent): boolean =>
  device_id !== undefined && !index.phoneDevices.has(device_id)

/** What it did about a message, as a step of that phone. */
export const recordForeign = (course: Course, event: MessageEvent): void => {
  const { msg_id, to, method, error, device_id = '' } = event
  const phone = standIn(course, device_id)
  if (to === 'bind') {
    addStep(course, method === 'push' ? 'open' : 'scan', { phone, message: messageName(course, msg_id) })
  } else if (to === 'success') addStep(course, 'approve', { phone })
  else if (to === 'fail' && course.index.judgedBad.has(msg_id)) {
    addNote(course, { code: 'foreign_answer_refused', params: { phone, word: wordOf(error) } })
  } else if (isFinal(to) && to !== 'timeout') {
    const reason = wordOf(error)
    addStep(course, 'reject', { phone, reason: reason === 'user_rejected' ? undefined : reason })
  }
}

const standIn = (course: Course, device: string): string => {
  const account = course.index.accounts.get(device)
  const known = [...course.phones.values()].find(
    (phone) => account !== undefined && course.index.accounts.get(phone.device_id ?? '')?.account === account.account,
  )
  const shared = known === undefined ? course.foreign.get(account?.account ?? '') : course.phoneNames.of(known.id)
  const name = course.phoneNames.give(device, account?.name ?? 'app')
  if (course.headPhones.has(name)) return name
  course.headPhones.set(
    name,
    shared === undefined
      ? { name, account: { name: account?.name ?? name, phone: account?.phone ?? MADE_UP } }
      : { name, same_account_as: shared },
  )
  if (account !== undefined) course.foreign.set(account.account, shared ?? name)
  return name
}
