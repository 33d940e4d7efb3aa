import {
  ANSWER_SHAPES,
  findListProblem,
  isMessageAddress,
  objectsIn,
  shapeMismatch,
} from '../../core/contract/rp/believable-answer.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { isServiceFaultName, serviceFaultOf } from '../../core/contract/service-faults.ts'
import { isObject } from '../../core/protocol/json.ts'
import { parseJsonObject } from '../timeline/json-member.ts'
import type { Exchange } from './index-events.ts'

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

/** True if a fault or a condition counted this call, so one call more or fewer would change the run. */
export const isAffected = ({ faults = [], conditions = {} }: Exchange): boolean =>
  faults.length > 0 || conditions.failed !== undefined || conditions.lost === true
