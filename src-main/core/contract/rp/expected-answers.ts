import { isObject } from '../../protocol/json.ts'

/** Required fields of an answer and their types: tells a service that leaves one out from one that refuses. */
export type AnswerShape = Readonly<Record<string, 'string' | 'number' | 'list of objects'>>

const result: AnswerShape = { svc_user: 'string', status: 'string', error: 'string' }

/** The fields that an RP reads of each answer. */
export const ANSWER_SHAPES = {
  message: { url: 'string', expires_at: 'number' },
  registration: result,
  authentication: { ...result, user_id: 'string' },
  credentials: { total: 'number', list: 'list of objects' },
  deletion: { total: 'number' },
} as const satisfies Readonly<Record<string, AnswerShape>>

export type Misfit = { readonly field: string; readonly expected: string; readonly got: string }

/** The first field that is not as it must be. */
export const misfitOf = (data: Readonly<Record<string, unknown>>, shape: AnswerShape): Misfit | undefined => {
  const field = Object.keys(shape).find((key) => kindOf(data[key]) !== shape[key])
  if (field === undefined) return undefined
  return { field, expected: shape[field] ?? '', got: field in data ? kindOf(data[field]) : 'nothing' }
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.every(isObject) ? 'list of objects' : 'list'
  return value === null ? 'null' : typeof value
}
