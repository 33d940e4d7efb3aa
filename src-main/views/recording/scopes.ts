import type { Scope } from '../../core/contract/scope.ts'
import { type Course, messageId } from './course.ts'
import { type Reference, reference } from './recorded-step.ts'

/** Ids become variables. */
export const scopeOf = (
  course: Course,
  { user_id, phone, msg_id }: Scope,
): Record<string, string | Reference | undefined> => {
  const held =
    phone === undefined
      ? undefined
      : [...course.phones.values()].find(({ id, device_id }) => id === phone || device_id === phone)
  return {
    user_id,
    phone: held === undefined ? phone : reference(`phones.${course.phoneNames.of(held.id)}.id`),
    msg_id: msg_id === undefined ? undefined : (messageId(course, msg_id) ?? msg_id),
  }
}
