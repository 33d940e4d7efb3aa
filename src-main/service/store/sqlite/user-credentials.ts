import type { CredentialRecord } from '../store.ts'
import type { Sql } from './sql.ts'

/** Credentials of users, remembered as they were last written until one of that user is made: a sign-in reads them three times. */
export type UserCredentials = {
  get(workspace: string, rp: string, id: string): CredentialRecord | undefined
  list(workspace: string, rp: string, user: string): readonly CredentialRecord[]
  made(workspace: string, credential: CredentialRecord): void
  used(workspace: string, credential: CredentialRecord, change: CredentialUse): void
}

export type CredentialUse = Pick<
  CredentialRecord,
  'counter' | 'backup_state' | 'user_verified' | 'device' | 'updated_at'
>

export const createUserCredentials = (sql: Sql): UserCredentials => {
  const one = sql.memoryOf<CredentialRecord>('credentials')
  const all = sql.memoryOf<readonly CredentialRecord[]>('credentials')
  const readOne = sql.one<CredentialRecord>(
    'credentials',
    'SELECT * FROM credentials WHERE workspace = ? AND rp = ? AND id = ?',
  )
  const readAll = sql.list<CredentialRecord>('credentials', ['workspace', 'rp', 'user_id'])
  return {
    get: (workspace, rp, id) => {
      const known = one.get(workspace, keyOf(rp, id))
      if (known !== undefined) return known
      const found = readOne(workspace, rp, id)
      if (found !== undefined) one.put(workspace, keyOf(rp, id), found)
      return found
    },
    list: (workspace, rp, user) => {
      const known = all.get(workspace, keyOf(rp, user))
      if (known !== undefined) return known
      const found = readAll(workspace, rp, user)
      // Clients may ask for any user.
      if (found.length === 0) return found
      all.put(workspace, keyOf(rp, user), found)
      for (const credential of found) one.put(workspace, keyOf(rp, credential.id), credential)
      return found
    },
    made: (workspace, { rp, user_id }) => all.forget(workspace, keyOf(rp, user_id)),
    used: (workspace, before, change) => {
      const { rp, id, user_id } = before
      const now = { ...before, ...change }
      one.put(workspace, keyOf(rp, id), now)
      const list = all.get(workspace, keyOf(rp, user_id))
      if (list === undefined) return
      const after = list.map((each) => (each.id === id ? now : each))
      all.put(workspace, keyOf(rp, user_id), after)
    },
  }
}

/** Unique for each pair. */
const keyOf = (rp: string, id: string): string => `${rp.length} ${rp}${id}`
