import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { VaultEntry } from '../../core/contract/app/routes.ts'
import { type Bytes, concat, fromBase64url, fromUtf8, toBase64url, utf8 } from '../../core/protocol/bytes.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, orNothing } from '../../core/protocol/result.ts'
import type { Credential } from '../authenticator/seams.ts'
import type { AppAnswer, PathCall } from './app-client.ts'
import { isHeaderText, type PhoneResult, refusePhone } from './phone-state.ts'

const NOT_FOUND = 40404

const isEntry = (entry: unknown): entry is VaultEntry =>
  isObject(entry) && typeof entry.credential_id === 'string' && isHeaderText(entry.etag)

export type Vault = ReturnType<typeof createVault>

/** All data is sealed before it leaves the phone. */
export const createVault = (options: {
  /** Calls as the signed-in phone; the service's refusals are values. */
  readonly call: (call: PathCall) => PhoneResult<AppAnswer>
  readonly key: () => Bytes | undefined
  readonly random: () => RandomSource
}) => {
  const { call, key, random } = options
  const cache = new Map<string, { readonly etag: string; readonly kept: KeptCredential }>()
  const pathOf = (id: string): string => `/vault/${encodeURIComponent(id.toWellFormed())}`

  return {
    /** The content at the last refresh. */
    known: (): readonly KeptCredential[] => [...cache.values()].map(({ kept }) => kept),
    get: (id: string): KeptCredential | undefined => cache.get(id)?.kept,
    async refresh(): PhoneResult<void> {
      const sealingKey = key()
      if (sealingKey === undefined) return ok(undefined)
      const listed = await call({ method: 'GET', path: '/vault' })
      if (!listed.ok) return listed
      const entries = Array.isArray(listed.value.data.list) ? listed.value.data.list.filter(isEntry) : []
      const ids = new Set(entries.map((entry) => entry.credential_id))
      for (const id of cache.keys()) if (!ids.has(id)) cache.delete(id)
      for (const { credential_id: id, etag, sealed } of entries) {
        if (cache.get(id)?.etag === etag) continue
        const text = typeof sealed === 'string' ? unseal({ key: sealingKey, credentialId: id }, sealed) : undefined
        if (text === undefined) return err(refusePhone('vault_unreadable'))
        cache.set(id, { etag, kept: decodeKept(text) })
      }
      return ok(undefined)
    },
    async put(kept: KeptCredential): PhoneResult<void> {
      const sealingKey = key()
      if (sealingKey === undefined) return err(refusePhone('vault_missing'))
      const { id } = kept.credential
      const before = cache.get(id)
      const put = await call({
        method: 'PUT',
        path: pathOf(id),
        headers: before === undefined ? { 'If-None-Match': '*' } : { 'If-Match': before.etag },
        body: { sealed: seal({ key: sealingKey, credentialId: id }, JSON.stringify(kept), random()) },
      })
      if (!put.ok) return put
      const { etag } = put.value.data
      if (!isHeaderText(etag)) return err(refusePhone('garbled'))
      cache.set(id, { etag, kept })
      return ok(undefined)
    },
    /** False when the credential is missing. */
    async remove(id: string): PhoneResult<boolean> {
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

const VERSION = 1
const NONCE = 12
const TAG = 16

type SealContext = { readonly key: Bytes; readonly credentialId: string }

/** AES-256-GCM under the account's vault key; the credential's id is bound to it as additional data. */
export const seal = ({ key, credentialId }: SealContext, text: string, random: RandomSource): string => {
  const aad = utf8(credentialId)
  const plain = utf8(text)
  // The nonce covers the content too: a restored snapshot draws the same bytes again, perhaps for another content.
  const nonce = createHmac('sha256', key).update(random.bytes(16)).update(aad).update(plain).digest().subarray(0, NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad)
  const body = concat(cipher.update(plain), cipher.final())
  return toBase64url(concat(Uint8Array.of(VERSION), nonce, body, cipher.getAuthTag()))
}

/** undefined: not sealed by this account for this credential. */
export const unseal = ({ key, credentialId }: SealContext, sealed: string): string | undefined => {
  const bytes = fromBase64url(sealed)
  if (!bytes.ok || bytes.value[0] !== VERSION || bytes.value.length < 1 + NONCE + TAG) return undefined
  const nonce = bytes.value.subarray(1, 1 + NONCE)
  const body = bytes.value.subarray(1 + NONCE, -TAG)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
    .setAAD(utf8(credentialId))
    .setAuthTag(bytes.value.subarray(-TAG))
  return orNothing(() => fromUtf8(concat(decipher.update(body), decipher.final())))
}

/** A credential with its user's name for it; the form in which chip and cloud keep it. */
export type KeptCredential = {
  readonly name: string
  readonly credential: Credential
  /** The number of the account that made it; absent in older ones. */
  readonly account?: string
}

export const decodeKept = (json: string): KeptCredential => JSON.parse(json) as KeptCredential
