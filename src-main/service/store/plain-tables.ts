import type { DeviceRecord, SnapshotRecord, Store } from './store.ts'
import { allOf, MARK_SENT, REPLACE_VAULT, type TableName, type Value } from './tables.ts'

/** For most tables: rows by some of their columns, new ones, and changes of one. */
export type PlainRows = {
  get<T>(
    table: TableName,
    ...columns: readonly string[]
  ): (workspace: string, ...values: readonly Value[]) => Promise<T | undefined>
  /** In order of making. */
  list<T>(
    table: TableName,
    columns?: readonly string[],
    selected?: string,
  ): (workspace: string, ...values: readonly Value[]) => Promise<readonly T[]>
  insert(table: TableName): (workspace: string, record: object) => Promise<boolean>
  /** Only with a row of the other table. */
  insertWith<R extends object>(
    table: TableName,
    needs: TableName,
    idOf: (record: R) => string,
  ): (workspace: string, record: R) => Promise<boolean>
  /** True if it changed one row. */
  change(text: string): (...values: readonly Value[]) => Promise<boolean>
}

type PlainTables = Pick<Store, 'vault' | 'roots' | 'snapshots'> & {
  readonly devices: Pick<Store['devices'], 'list' | 'get' | 'insert'>
  readonly pushes: Pick<Store['pushes'], 'markSent'>
}

/** The tables whose rows are read, made, changed and removed one by one, in both databases. */
export const plainTables = ({ get, list, insert, insertWith, change }: PlainRows): PlainTables => {
  const remove = (table: TableName) => change(`DELETE FROM ${table} WHERE workspace = ? AND id = ?`)
  const devices = list<DeviceRecord>('devices')
  const devicesOf = list<DeviceRecord>('devices', ['account'])
  const markSent = change(MARK_SENT)
  const insertVault = insert('vault')
  const replaceVault = change(REPLACE_VAULT)
  const ofVault = ['workspace', 'account', 'credential_id']
  const removeVault = change(`DELETE FROM vault WHERE ${allOf(ofVault)}`)
  const removeMatching = change(`DELETE FROM vault WHERE ${allOf([...ofVault, 'etag'])}`)

  return {
    devices: {
      list: (workspace, { account } = {}) =>
        account === undefined ? devices(workspace) : devicesOf(workspace, account),
      get: get('devices', 'id'),
      insert: insertWith<DeviceRecord>('devices', 'accounts', ({ account }) => account),
    },

    pushes: { markSent: (workspace, { device, n, now }) => markSent(now, workspace, device, n) },

    vault: {
      list: list('vault', ['account']),
      get: get('vault', 'account', 'credential_id'),
      put: (workspace, record, ifMatch) => {
        if (ifMatch === undefined) return insertVault(workspace, record)
        const { account, credential_id, etag, sealed, updated_at } = record
        return replaceVault(etag, sealed, updated_at, workspace, account, credential_id, ifMatch)
      },
      delete: (workspace, { account, credential_id, ifMatch }) =>
        ifMatch === undefined
          ? removeVault(workspace, account, credential_id)
          : removeMatching(workspace, account, credential_id, ifMatch),
    },

    roots: { list: list('roots'), insert: insert('roots'), delete: remove('roots') },

    snapshots: {
      list: list<Omit<SnapshotRecord, 'content'>>('snapshots', [], 'id, name, created_at'),
      get: get('snapshots', 'id'),
      insert: insert('snapshots'),
      delete: remove('snapshots'),
    },
  }
}
