import { errors } from '../../core/contract/errors.ts'
import { type ResendSigning, UNSENDABLE_HEADERS } from '../../core/contract/resending.ts'
import { textOf } from '../../core/protocol/bytes.ts'
import { addNote, addStep, type Course, rpVariable } from './course.ts'
import type { Exchange } from './index-events.ts'
import { reference } from './recorded-step.ts'

/** What refuses a signature so; `kept` where the header itself is refused, before its date and its key are looked at. */
const SIGNINGS: Readonly<Record<number, ResendSigning>> = {
  [errors.no_authorization.code]: 'none',
  [errors.malformed_authorization.code]: 'kept',
  [errors.host_not_signed.code]: 'kept',
  [errors.bad_date.code]: 'kept',
  [errors.clock_skew.code]: 'old_date',
  [errors.unknown_access_key.code]: 'unknown_key',
  [errors.signature_mismatch.code]: 'other_secret',
}

const OF_SIGNING = ['x-svc-date', 'authorization']
/** Of the honest call: the RP simulator writes it first. */
const HOST = '/request/headers/0/1'

/** A call whose signature was refused, sent again by the bench; false where it cannot be. */
export const recordResent = (course: Course, { request, response, rp_id }: Exchange): boolean => {
  const signing = SIGNINGS[response.code]
  const [, target] = /^[^?]*?(\/rp\/.*)$/.exec(request.target) ?? []
  const isWhole = new TextEncoder().encode(request.body).length === request.body_bytes
  if (signing === undefined || target === undefined || !isWhole || !isMethod(request.method)) return false
  if (signing === 'other_secret') addNote(course, { code: 'signed_otherwise' })
  const rp = { rp: reference(rpVariable(course, rp_id ?? course.firstRp ?? '')) }
  // There must be a call before it can be sent again as another one.
  addStep(course, 'control', { call: 'simulator.credentials', params: rp, query: { user_id: 'nobody' } })
  const base = { from: '/request/target', matches: '^.*(?=/rp/)' }
  addStep(course, 'wait', { kind: 'exchange', interface: 'rp' }, { save: { call: '/seq', base, host: HOST } })
  const headers = request.headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'host' || UNSENDABLE_HEADERS.some((each) => each === lower)) return []
    return signing !== 'kept' && OF_SIGNING.includes(lower) ? [] : [{ name, value: textOf(value) }]
  })
  const body = {
    method: request.method,
    target: reference('base', target),
    headers: [{ name: 'Host', value: reference('host') }, ...headers],
    body: request.body,
    signing,
  }
  const params = { seq: reference('call') }
  addStep(course, 'control', { call: 'events.resend', params, body }, { answer: { code: response.code } })
  return true
}

const isMethod = (method: string): boolean =>
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].includes(method)
