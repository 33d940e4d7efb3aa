import type { BenchEvent } from '../../core/contract/events.ts'
import { addStep, type Course } from './course.ts'
import { reference } from './recorded-step.ts'

type CredentialEvent = Extract<BenchEvent, { readonly kind: 'credential' }>

/** What was done to a credential beside the RP and the phones. */
export const recordCredential = (course: Course, event: CredentialEvent): void => {
  const { change, actor, user_id, rp_id, credential_id: id } = event
  const of = `${rp_id} ${user_id}`
  const held = course.credentials.get(of) ?? []
  course.users.set(id, { user: user_id, rp: rp_id })
  if (change === 'used') course.used.add(id)
  if (change === 'registered') course.credentials.set(of, [...held, id])
  if (change === 'deleted')
    course.credentials.set(
      of,
      held.filter((each) => each !== id),
    )
  if (change === 'restored') course.credentials.set(of, [...held, id])
  if (actor.kind !== 'control') return
  const known = course.savedCredentials.get(id)
  const name = known ?? `credential${course.savedCredentials.size + 1}`
  if (change === 'deleted') {
    if (known === undefined) {
      course.savedCredentials.set(id, name)
      const save = { [name]: `/credentials/${held.indexOf(id)}/id` }
      addStep(course, 'control', { call: 'credentials.list', query: { user_id } }, { save })
    }
    addStep(course, 'control', { call: 'credentials.delete', params: { id: reference(name) } })
  }
  if (change === 'restored')
    addStep(course, 'control', { call: 'credentials.undelete', params: { id: reference(name) } })
}
