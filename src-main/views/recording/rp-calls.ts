import { errors } from '../../core/contract/errors.ts'
import { type ResendSigning, UNSENDABLE_HEADERS } from '../../core/contract/resending.ts'
import {
  ANSWER_SHAPES,
  entriesOfUser,
  findListProblem,
  isMessageAddress,
  objectsIn,
  shapeMismatch,
} from '../../core/contract/rp/believable-answer.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { isServiceFaultName, serviceFaultOf } from '../../core/contract/service-faults.ts'
import { decodeOctets } from '../../core/protocol/bytes.ts'
import { isObject } from '../../core/protocol/json.ts'
import { failureWord, isFinal, MESSAGE_STATES } from '../../core/protocol/message-state.ts'
import { parseJsonObject } from '../timeline/json-member.ts'
import { countConditions, countFaults, recordRandomTrouble, recordTriggeredFaults } from './conditions.ts'
import { addNote, addStep, type Course, messageId, messageName, reference, rpName, rpVariable } from './course.ts'
import { type Exchange, isAffected, targetQuery } from './index-events.ts'

const UNSIGNED = 401

export const recordRpCall = (course: Course, call: Exchange): void => {
  if (noteSentAgain(course, call)) return
  const { route = '', method, target } = call.request
  if (call.asked_by === undefined && call.response.status === UNSIGNED) {
    if (course.resends && recordResent(course, call)) return
    return void addNote(course, { code: 'unsigned_call', params: { method, target, refused: call.response.code } })
  }
  const handler = HANDLERS[`${method} ${route.slice(route.lastIndexOf('/rp/') + 1)}`]
  if (handler === undefined) return void addNote(course, { code: 'unknown_call', params: { method, target } })
  const { operation, record } = handler
  // Armed faults and conditions are counted down; a randomly drawn condition becomes a step before the call's own.
  const drawn = countConditions(course, call, operation)
  const before = course.lines.at(-1)
  record(course, call, readResponse(call, operation))
  const last = course.lines.at(-1)
  if (last !== undefined && last !== before && 'step' in last) {
    if (isAffected(call)) last.step.struck = true
    recordTriggeredFaults(course, call, operation)
    if (drawn !== undefined) recordRandomTrouble(course, call, drawn)
  }
  countFaults(course, call)
}

/** Adds a note for a resent call that was edited or not signed again: no step can repeat it. */
export const noteSentAgain = (course: Course, { request: { method, target }, resent }: Exchange): boolean => {
  if (resent === undefined || (resent.edited.length === 0 && resent.signing === 'anew')) return false
  const { signing } = resent
  const edited = resent.edited.join(', ')
  addNote(course, { code: 'sent_again', params: { method, target, edited, signing } })
  return true
}

type Handler = (course: Course, call: Exchange, reading: Reading) => void

const refusedBy = (reading: Reading): number | undefined => {
  if (reading.kind === 'data') return undefined
  return reading.kind === 'refused' ? reading.code : errors.no_answer.code
}

const begin =
  (word: 'register' | 'sign_in'): Handler =>
  (course, call, reading) => {
    const { user_id, username, display_name, credential_name, method } = parseJsonObject(call.request.body)
    if (typeof user_id !== 'string' || typeof username !== 'string') {
      return void addNote(course, { code: 'unusual_body', params: { target: call.request.target } })
    }
    const input = {
      ...{ user_id, username },
      ...(word === 'register' ? { display_name, credential_name } : { method }),
      ...(isShort(call) ? { form: 'short' } : {}),
      rp: rpName(course, call.rp_id),
    }
    const step = addStep(course, word, input, { refused: refusedBy(reading) })
    if (call.msg_id === undefined || reading.kind !== 'data') return
    course.messages.set(call.msg_id, { step, rp: call.rp_id ?? '', state: 'init', expiresAt: 0, looks: [] })
    course.latest = call.msg_id
  }

/** The short form names no access key. */
const isShort = ({ request }: Exchange): boolean =>
  request.headers.some(([name, value]) => name.toLowerCase() === 'authorization' && value.split(',').length === 2)

const readResult: Handler = (course, call, reading) => {
  const id = call.msg_id ?? targetQuery(call).get('msg_id') ?? undefined
  const message = id === undefined ? undefined : course.messages.get(id)
  if (id === undefined || message === undefined) {
    return void addNote(course, { code: 'result_of_earlier', params: { target: call.request.target } })
  }
  const which = messageName(course, id)
  const poll = (answer: Readonly<Record<string, unknown>>): void => {
    const params = { rp: reference(rpVariable(course, message.rp)), msg_id: messageId(course, id) }
    addStep(course, 'control', { call: 'simulator.poll', params }, { answer })
  }
  if (reading.kind === 'unreadable') return poll({ refusal: { code: 0 } })
  if (reading.kind === 'refused') {
    const code = `${reading.code}`
    if (message.reported === code && reading.code >= errors.internal.code && !isAffected(call)) return
    message.reported = code
    addStep(
      course,
      'expect',
      { status: isFinal(message.state) ? message.state : 'success', message: which },
      { refused: reading.code },
    )
    return
  }
  const { status, error, user_id, svc_user } = reading.data
  // A fault of the service produced this status, which `expect` does not accept.
  if (!MESSAGE_STATES.some((state) => state === status)) return poll({ status: status ?? { present: false } })
  // Polls that report the same state again need no step.
  if (message.reported === status && !isFinal(message.state) && !isAffected(call)) return
  message.reported = String(status)
  const step = addStep(course, 'expect', {
    status,
    message: which,
    error: typeof error === 'string' && error !== '' ? failureWord(error) : undefined,
    user_id: typeof user_id === 'string' && user_id !== '' ? user_id : undefined,
    svc_user: typeof svc_user === 'string' && svc_user !== '' ? svc_user : undefined,
  })
  if (!isFinal(message.state) && !isAffected(call)) message.looks.push(step)
}

const listCredentials: Handler = (course, call, reading) => {
  const user_id = targetQuery(call).get('user_id')
  if (user_id === null)
    return void addNote(course, { code: 'call_without_user', params: { target: call.request.target } })
  const rp = rpName(course, call.rp_id)
  const count = entriesOfUser(credentialsIn(reading), user_id).length
  for (const { credential_id, credential_name } of credentialsIn(reading)) {
    course.credentialNames.set(String(credential_id), String(credential_name))
  }
  addStep(course, 'expect_credentials', { user_id, count, rp }, { refused: refusedBy(reading) })
}

const credentialsIn = (reading: Reading): readonly Readonly<Record<string, unknown>>[] =>
  reading.kind === 'data' ? objectsIn(reading.data.list) : []

const deleteCredentials: Handler = (course, call, reading) => {
  const body = parseJsonObject(call.request.body)
  const user_id = body.user_id ?? targetQuery(call).get('user_id')
  const ids = Array.isArray(body.credential_ids) ? body.credential_ids : []
  if (typeof user_id !== 'string' || ids.length !== 1) {
    return void addNote(course, { code: 'credentials_deleted', params: { count: ids.length } })
  }
  // The step `delete_credential` lists the credentials itself, so the RP's listing just before is dropped.
  const before = course.lines.at(-1)
  const look =
    before !== undefined && 'step' in before && before.step.word === 'expect_credentials' ? before.step : undefined
  const several = Number(look?.input.count ?? 1) > 1
  if (look?.input.user_id === user_id && look.struck !== true) course.lines.pop()
  const rp = rpName(course, call.rp_id)
  const credential_name = several ? course.credentialNames.get(String(ids[0])) : undefined
  addStep(course, 'delete_credential', { user_id, credential_name, rp }, { refused: refusedBy(reading) })
}

/** How to repeat a refused signature; `kept` if the header itself is refused before date and key are checked. */
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
/** JSON pointer to the Host header, which the RP simulator writes first. */
const HOST = '/request/headers/0/1'

/** False if the call cannot be repeated. */
const recordResent = (course: Course, { request, response, rp_id }: Exchange): boolean => {
  const signing = SIGNINGS[response.code]
  const [, target] = /^[^?]*?(\/rp\/.*)$/.exec(request.target) ?? []
  const isWhole = new TextEncoder().encode(request.body).length === request.body_bytes
  if (signing === undefined || target === undefined || !isWhole || !isMethod(request.method)) return false
  if (signing === 'other_secret') addNote(course, { code: 'signed_otherwise' })
  const rp = { rp: reference(rpVariable(course, rp_id ?? course.firstRp ?? '')) }
  // A resend needs an earlier call, which it edits.
  addStep(course, 'control', { call: 'simulator.credentials', params: rp, query: { user_id: 'nobody' } })
  const base = { from: '/request/target', matches: '^.*(?=/rp/)' }
  addStep(course, 'wait', { kind: 'exchange', interface: 'rp' }, { save: { call: '/seq', base, host: HOST } })
  const headers = request.headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'host' || UNSENDABLE_HEADERS.some((each) => each === lower)) return []
    return signing !== 'kept' && OF_SIGNING.includes(lower) ? [] : [{ name, value: decodeOctets(value) }]
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

const HANDLERS: Readonly<Record<string, { readonly operation: RpOperation; readonly record: Handler }>> = {
  'POST rp/attestation/options': { operation: 'attestation.options', record: begin('register') },
  'POST rp/assertion/options': { operation: 'assertion.options', record: begin('sign_in') },
  'GET rp/attestation/result': { operation: 'attestation.result', record: readResult },
  'GET rp/assertion/result': { operation: 'assertion.result', record: readResult },
  'GET rp/credentials': { operation: 'credentials.list', record: listCredentials },
  'DELETE rp/credentials': { operation: 'credentials.delete', record: deleteCredentials },
}

export type Reading =
  | { readonly kind: 'data'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'unreadable' }

const SHAPES = {
  'attestation.options': ANSWER_SHAPES.message,
  'attestation.result': ANSWER_SHAPES.registration,
  'assertion.options': ANSWER_SHAPES.message,
  'assertion.result': ANSWER_SHAPES.authentication,
  'credentials.list': ANSWER_SHAPES.credentials,
  'credentials.delete': ANSWER_SHAPES.deletion,
} as const satisfies Readonly<Record<RpOperation, unknown>>

/** The response as the simulated careful RP reads it. */
export const readResponse = (call: Exchange, operation: RpOperation): Reading => {
  const { response, conditions } = call
  const { code, data, error } = parseJsonObject(response.body)
  if (conditions?.lost === true || isCutOff(call)) return { kind: 'unreadable' }
  if (typeof error !== 'string' || !Number.isSafeInteger(code)) return { kind: 'unreadable' }
  if (code !== 0) return { kind: 'refused', code: Number(code) }
  return isObject(data) && shapeMismatch(data, SHAPES[operation]) === undefined && isBelievable(call, operation, data)
    ? { kind: 'data', data }
    : { kind: 'unreadable' }
}

const isBelievable = ({ request }: Exchange, operation: RpOperation, data: Readonly<Record<string, unknown>>) => {
  if (operation === 'credentials.list') {
    return findListProblem({ total: data.total, list: objectsIn(data.list) }) === undefined
  }
  if (!operation.endsWith('.options')) return true
  const scheme = String(data.url).startsWith('https:') ? 'https' : 'http'
  const host = request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? ''
  const base = `${scheme}://${host}${request.target.slice(0, request.target.indexOf('/rp/'))}`
  return isMessageAddress(data.url, base)
}

/** After a connection fault the event has the unchanged body, which the RP never received. */
const isCutOff = ({ faults = [] }: Exchange): boolean =>
  faults.some(
    ({ fault }) =>
      fault === 'body-gigantic' ||
      (fault !== 'slow-drip' && isServiceFaultName(fault) && serviceFaultOf(fault).group === 'connection'),
  )
