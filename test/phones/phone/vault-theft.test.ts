import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bytes, fromBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { type Account, accountProof, vaultKey } from '../../../src-main/phones/phone/account.ts'
import { decodeKept, type KeptCredential, unseal } from '../../../src-main/phones/phone/vault.ts'
import { startTestBench, type TestBench } from '../../support/bench.ts'

/** A thief of the service's data directory without the phones' own file, and can speak to the service. */
const folder = mkdtempSync(join(tmpdir(), 'handset-theft-'))
const PHONES = ['13812345678', '13987654321'] as const

type Row = Readonly<Record<string, unknown>>
type Sealed = { readonly account: string; readonly credential_id: string; readonly sealed: string }

let running: TestBench
/** Every table of handset.db, as it lies on the disk. */
let loot: Readonly<Record<string, readonly Row[]>>
/** What the phones know, from their own file. */
let accounts: readonly Account[]
let kept: readonly KeptCredential[]

const readTables = (file: string): Readonly<Record<string, readonly Row[]>> => {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
    return Object.fromEntries(names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all() as Row[]]))
  } finally {
    db.close()
  }
}

const rowsOf = (table: string): readonly Row[] => loot[table] ?? []

const accountIdOf = (phone: string): unknown => rowsOf('accounts').find((row) => row.phone === phone)?.id

const sealedOf = ({ phone }: Account): readonly Sealed[] =>
  (rowsOf('vault') as unknown as readonly Sealed[]).filter(({ account }) => account === accountIdOf(phone))

beforeAll(async () => {
  running = await startTestBench({ data: folder })
  const { client } = running
  const rp = (await client.call('rps.list')).rps[0]?.id ?? ''
  const makePhone = async (name: string, more: object) =>
    (await client.call('phones.create', { body: { name, ...more } })).id
  const answer = async (phone: string, url: string) => {
    await client.call('phones.scan', { params: { id: phone }, body: { url } })
    await client.call('phones.approve', { params: { id: phone }, body: {} })
  }
  const register = async (phone: string, user: string) => {
    const body = { user_id: user, username: user, poll: false }
    const { url, msg_id } = await client.call('simulator.register', { params: { rp }, body })
    await answer(phone, url)
    const { status } = await client.call('simulator.poll', { params: { rp, msg_id } })
    expect(status).toBe('success')
  }
  const signIn = async (phone: string, user: string) => {
    const body = { user_id: user, username: user, method: 'qrcode' as const, poll: false }
    const { url } = await client.call('simulator.sign-in', { params: { rp }, body })
    await answer(phone, url)
  }
  const [first, second] = PHONES
  const alice = await makePhone('Alice’s phone', { account: { name: 'Alice', phone: first }, storage: 'cloud' })
  const tablet = await makePhone('Alice’s tablet', { same_account_as: alice })
  const bo = await makePhone('Bo’s phone', { account: { name: 'Bo', phone: second }, storage: 'cloud' })
  const chip = await makePhone('Bo’s other phone', { same_account_as: bo, model: 'granite-one' })
  await register(alice, 'u-alice')
  await register(alice, 'u-alice-at-work')
  await register(bo, 'u-bo')
  await register(chip, 'u-bo-at-work')
  await signIn(tablet, 'u-alice')
  await signIn(bo, 'u-bo')
  await client.call('snapshots.create', { body: { name: 'With phones' } })

  loot = readTables(join(folder, 'handset.db'))
  const phones = readTables(join(folder, 'phones.db'))
  const records = (phones.phones ?? []).map(({ json }) => JSON.parse(String(json)) as { readonly account: Account })
  accounts = PHONES.map((phone) => {
    const found = records.find(({ account }) => account.phone === phone)?.account
    if (found === undefined) throw new Error(`no phone has the account ${phone}`)
    return found
  })
  const inCloud = accounts.flatMap((account) =>
    sealedOf(account).map(({ credential_id, sealed }) => {
      const text = unseal({ key: vaultKey(account), credentialId: credential_id }, sealed)
      if (text === undefined) throw new Error('the account’s own key does not open its vault')
      return decodeKept(text)
    }),
  )
  const inChip = (phones.chip_credentials ?? []).map(({ json }) => decodeKept(String(json)))
  kept = [...inCloud, ...inChip]
})

afterAll(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

const formsOf = (bytes: Bytes): readonly Buffer[] => {
  const buffer = Buffer.from(bytes)
  const texts = [buffer.toString('base64url'), buffer.toString('base64'), buffer.toString('hex')]
  return [buffer, ...texts.map((text) => Buffer.from(text)), Buffer.from(buffer.toString('hex').toUpperCase())]
}

const bytesOf = (base64url: string): Bytes => {
  const bytes = fromBase64url(base64url)
  if (!bytes.ok) throw new Error(bytes.error.fault)
  return bytes.value
}

const secretsOf = (account: Account): readonly (readonly [string, Bytes])[] => [
  ['secret', bytesOf(account.secret)],
  ['vault key', vaultKey(account)],
  ['proof', bytesOf(accountProof(account))],
]

describe('a sign-in to an account that is taken', () => {
  const post = async (account: object) => {
    const response = await fetch(`${running.bench.appUrl}/devices`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, device_name: 'A thief’s phone' }),
    })
    return ((await response.json()) as { readonly code: number }).code
  }
  const [phone] = PHONES

  it('is refused with any text that the service stores about it', async () => {
    const about = ['accounts', 'devices', 'vault'].flatMap(rowsOf).flatMap((row) => Object.values(row).map(String))
    const codes = new Map<number, number>()
    for (const proof of new Set(about)) {
      const code = await post({ name: 'Alice', phone, proof: proof.slice(0, 256) })
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
    expect([...codes.keys()]).toEqual([40110])
  })

  it('is no way to the vault with the hash of a device’s token', async () => {
    const tokens = rowsOf('devices').map(({ token_hash }) => String(token_hash))
    expect(tokens.length).toBeGreaterThan(0)
    for (const token of tokens) {
      const response = await fetch(`${running.bench.appUrl}/vault`, { headers: { Authorization: `Bearer ${token}` } })
      expect(await response.json()).toMatchObject({ code: 40110 })
    }
  })

  it('is what its own proof is for', async () => {
    const [alice] = accounts
    if (alice === undefined) throw new Error('there is no account')
    expect(await post({ name: 'Alice', phone, proof: accountProof(alice) })).toBe(0)
  })
})

describe('with everything that the service stores', () => {
  it('the registrations really are in its vault, and the accounts in its table', () => {
    expect(accounts.map((account) => sealedOf(account).length)).toEqual([2, 1])
    expect(rowsOf('credentials')).toHaveLength(4)
    expect(rowsOf('snapshots')).toHaveLength(1)
    expect(kept.map(({ credential }) => credential.userName).toSorted()).toEqual([
      'u-alice',
      'u-alice-at-work',
      'u-bo',
      'u-bo-at-work',
    ])
  })

  it('no file of it holds an account’s secret, its vault key, its proof or a private key, in any form', () => {
    const secrets = [
      ...accounts.flatMap(secretsOf),
      ...kept.map(({ credential }) => {
        if (credential.privateKey.kty !== 'EC') throw new Error('expected ES256')
        return ['private key', bytesOf(credential.privateKey.d)] as const
      }),
    ]
    const files = readdirSync(folder).filter((name) => !name.startsWith('phones.db'))
    expect(files).toContain('handset.db')
    const found = files.flatMap((name) => {
      const content = readFileSync(join(folder, name))
      return secrets.flatMap(([what, bytes]) =>
        formsOf(bytes).some((form) => content.includes(form)) ? [`${what} in ${name}`] : [],
      )
    })
    expect(found).toEqual([])
  })
})
