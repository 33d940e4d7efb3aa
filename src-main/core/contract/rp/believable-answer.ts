import { isObject } from '../../protocol/json.ts'

type Entry = { readonly credential_id?: unknown; readonly user_id?: unknown }

/** Without a base, a message of any service counts. */
export const isMessageAddress = (url: unknown, base: string | undefined): boolean => {
  if (typeof url !== 'string') return false
  const [address = '', token = ''] = url.split('#')
  const isThere = base === undefined ? /^https?:\/\/[^/]+\/.*\/m$/.test(address) : address === `${base}/m`
  return isThere && /^[ar][\w-]{22}$/.test(token)
}

/** A contradiction within a list of credentials, if there is one. */
export const listProblem = ({ total, list }: { readonly total: unknown; readonly list: readonly Entry[] }) => {
  if (total !== list.length) return { field: 'total', expected: String(list.length), got: String(total) } as const
  const nameless = list.find(({ credential_id }) => typeof credential_id !== 'string' || credential_id === '')
  if (nameless === undefined) return undefined
  return { field: 'credential_id', expected: 'string', got: typeof nameless.credential_id } as const
}

/** The user's own, each once. */
export const ownEntries = <E extends Entry>(list: readonly E[], userId: string): readonly E[] =>
  list.filter(
    ({ credential_id, user_id }, i) =>
      user_id === userId && list.findIndex((each) => each.credential_id === credential_id) === i,
  )

/** A list in an answer that was only read as JSON. */
export const entriesIn = (list: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(list) ? list.filter(isObject) : []
