import { isObject } from '../../protocol/json.ts'

type Entry = { readonly credential_id?: unknown; readonly user_id?: unknown }

/** Without `base`, the address of a message on any service is accepted. */
export const isMessageAddress = (url: unknown, base: string | undefined): boolean => {
  if (typeof url !== 'string') return false
  const [address = '', token = ''] = url.split('#')
  const isThere = base === undefined ? /^https?:\/\/[^/]+\/.*\/m$/.test(address) : address === `${base}/m`
  return isThere && /^[ar][\w-]{22}$/.test(token)
}

export const findListProblem = ({ total, list }: { readonly total: unknown; readonly list: readonly Entry[] }) => {
  if (total !== list.length) return { field: 'total', expected: String(list.length), got: String(total) } as const
  const nameless = list.find(({ credential_id }) => typeof credential_id !== 'string' || credential_id === '')
  if (nameless === undefined) return undefined
  return { field: 'credential_id', expected: 'string', got: typeof nameless.credential_id } as const
}

export const entriesOfUser = <E extends Entry>(list: readonly E[], userId: string): readonly E[] =>
  list.filter(
    ({ credential_id, user_id }, i) =>
      user_id === userId && list.findIndex((each) => each.credential_id === credential_id) === i,
  )

export const objectsIn = (list: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(list) ? list.filter(isObject) : []

/** Required fields of an answer and their types, to tell an answer that lacks one from a refusal. */
export type AnswerShape = Readonly<Record<string, 'string' | 'number' | 'list of objects'>>

const result: AnswerShape = { svc_user: 'string', status: 'string', error: 'string' }

export const ANSWER_SHAPES = {
  message: { url: 'string', expires_at: 'number' },
  registration: result,
  authentication: { ...result, user_id: 'string' },
  credentials: { total: 'number', list: 'list of objects' },
  deletion: { total: 'number' },
} as const satisfies Readonly<Record<string, AnswerShape>>

type Mismatch = { readonly field: string; readonly expected: string; readonly got: string }

export const shapeMismatch = (data: Readonly<Record<string, unknown>>, shape: AnswerShape): Mismatch | undefined => {
  const field = Object.keys(shape).find((key) => kindOf(data[key]) !== shape[key])
  if (field === undefined) return undefined
  return { field, expected: shape[field] ?? '', got: field in data ? kindOf(data[field]) : 'nothing' }
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.every(isObject) ? 'list of objects' : 'list'
  return value === null ? 'null' : typeof value
}
