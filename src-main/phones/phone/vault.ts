import type { VaultEntry } from '../../core/contract/app/routes.ts'
import type { Bytes } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { AppAnswer } from './app-client.ts'
import { isHeaderText } from './header-text.ts'
import { decodeKept, type KeptCredential } from './kept-credential.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import { seal, unseal } from './vault-seal.ts'

/** Cloud HSM storage as a phone sees it. Nothing leaves the phone unsealed. */
export type Vault = {
  /** What was seen at the last look. */
  known(): readonly KeptCredential[]
  get(id: string): KeptCredential | undefined
  refresh(): Promise<Result<void, PhoneRefusal>>
  put(kept: KeptCredential, random: RandomSource): Promise<Result<void, PhoneRefusal>>
  /** False when it was not there (any more). */
  remove(id: string): Promise<Result<boolean, PhoneRefusal>>
  forget(): void
}

/** A call of the app interface as the phone that is signed in; refusals of the service come back as such. */
export type VaultCall = (call: {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}) => Promise<Result<AppAnswer, PhoneRefusal>>

const NOT_FOUND = 40404

const isEntry = (entry: unknown): entry is VaultEntry =>
  typeof entry === 'object' &&
  entry !== null &&
  'credential_id' in entry &&
  typeof entry.credential_id === 'string' &&
  'etag' in entry &&
  isHeaderText(entry.etag)

export const createVault = (options: { readonly call: VaultCall; readonly key: () => Bytes | undefined }): Vault => {
  const { call, key } = options
  const cache = new Map<string, { readonly etag: string; readonly kept: KeptCredential }>()
  const pathOf = (id: string): string => `/vault/${encodeURIComponent(id.toWellFormed())}`
  const noKey = err(refusePhone('vault_missing'))

  const take = (id: string, etag: string, sealed: unknown, sealingKey: Bytes): Result<void, PhoneRefusal> => {
    const text = typeof sealed === 'string' ? unseal({ key: sealingKey, credentialId: id }, sealed) : undefined
    if (text === undefined) return err(refusePhone('vault_unreadable'))
    cache.set(id, { etag, kept: decodeKept(text) })
    return ok(undefined)
  }

  return {
    known: () => [...cache.values()].map(({ kept }) => kept),
    get: (id) => cache.get(id)?.kept,
    async refresh() {
      const sealingKey = key()
      if (sealingKey === undefined) return ok(undefined)
      const listed = await call({ method: 'GET', path: '/vault' })
      if (!listed.ok) return listed
      const entries = Array.isArray(listed.value.data.list) ? listed.value.data.list.filter(isEntry) : []
      const ids = new Set(entries.map((entry) => entry.credential_id))
      for (const id of cache.keys()) if (!ids.has(id)) cache.delete(id)
      for (const { credential_id: id, etag, sealed } of entries) {
        if (cache.get(id)?.etag === etag) continue
        const taken = take(id, etag, sealed, sealingKey)
        if (!taken.ok) return taken
      }
      return ok(undefined)
    },
    async put(kept, random) {
      const sealingKey = key()
      if (sealingKey === undefined) return noKey
      const { id } = kept.credential
      const before = cache.get(id)
      const put = await call({
        method: 'PUT',
        path: pathOf(id),
        headers: before === undefined ? { 'If-None-Match': '*' } : { 'If-Match': before.etag },
        body: { sealed: seal({ key: sealingKey, credentialId: id }, JSON.stringify(kept), random) },
      })
      if (!put.ok) return put
      const { etag } = put.value.data
      if (!isHeaderText(etag)) return err(refusePhone('garbled'))
      cache.set(id, { etag, kept })
      return ok(undefined)
    },
    async remove(id) {
      const before = cache.get(id)
      if (before === undefined) return ok(false)
      const removed = await call({ method: 'DELETE', path: pathOf(id), headers: { 'If-Match': before.etag } })
      if (!removed.ok && removed.error.code !== NOT_FOUND) return removed
      cache.delete(id)
      return ok(true)
    },
    forget: () => cache.clear(),
  }
}
