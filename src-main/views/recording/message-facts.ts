import type { BenchEvent } from '../../core/contract/events.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import { addStep, type BegunMessage, type Course, messageName } from './course.ts'
import { isForeign, recordForeign } from './foreign-phones.ts'

type MessageEvent = Extract<BenchEvent, { readonly kind: 'message' }>

/** How a message went on: a step only where nothing else tells it. */
export const recordMessage = (course: Course, event: MessageEvent): void => {
  const { msg_id: id, to, error, expires_at, actor } = event
  const message = course.messages.get(id)
  if (message === undefined) return
  message.state = to
  message.expiresAt = expires_at
  if (error !== undefined) message.error = error
  if (to !== 'timeout' && isForeign(course, event)) recordForeign(course, event)
  if (!isFinal(to)) return
  if (to !== 'timeout') return void recordEnd(course, id, message, event)
  if (actor.kind === 'control') addStep(course, 'expire', { message: messageName(course, id) })
  else course.expired.push(id)
}

/** What a phone does by itself is waited for, and it may come before or after an RP has asked. */
const recordEnd = (course: Course, id: string, message: BegunMessage, { device_id }: MessageEvent): void => {
  const phone = [...course.phones.values()].find((each) => each.device_id === device_id)
  const byItself = phone !== undefined && phone.behaviour.answer !== 'ask'
  if (byItself) {
    course.lines = course.lines.filter((line) => !('step' in line && message.looks.includes(line.step)))
  }
  if (byItself || !course.index.read.has(id)) course.ended.push(id)
}
