import { afterEach, describe, expect, it } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import type { Credential } from '../../../src-main/phones/authenticator/seams.ts'
import { createKeyring } from '../../../src-main/phones/phone/phone-core.ts'
import { createVault } from '../../../src-main/phones/phone/vault.ts'
import { phoneStorage } from '../../support/phone-storage.ts'

const storage = phoneStorage()
const owner = { workspace: 'main', phoneId: 'ph_1' }
const random = createRandom({ seed: 1 })

/** A new look into the same chip, as after a restart; its cloud is out of reach. */
const open = () => {
  storage.savePhone('main', { id: owner.phoneId, json: '{}' })
  return createKeyring({
    storage,
    owner,
    vault: createVault({ call: () => Promise.reject(new Error('no cloud here')), key: () => undefined }),
    random: () => random.stream('main', owner.phoneId, 'vault'),
  })
}

const credential = (id: string, createdAt: number, rpId = 'shop.example'): Credential => ({
  id,
  rpId,
  userHandle: 'dQ',
  userName: 'alice',
  displayName: 'Alice',
  algorithm: -7,
  privateKey: { kty: 'EC', crv: 'P-256', x: '', y: '', d: '' },
  aaguid: '00000000-0000-0000-0000-000000000000',
  discoverable: true,
  counter: 'growing',
  signCount: 0,
  backupEligible: false,
  backupState: false,
  transports: ['internal'],
  createdAt,
  extensions: {},
})

const ids = async (found: Promise<readonly Credential[]> | readonly Credential[]) => (await found).map(({ id }) => id)

describe('a keyring', () => {
  afterEach(() => storage.forget('main'))

  it('gives an RP’s credentials, or those among them that are named', async () => {
    const keyring = open()
    for (const made of [credential('a', 1), credential('b', 2), credential('c', 3, 'bank.example')]) {
      await keyring.keep('chip', { name: made.id, credential: made })
    }
    const { source } = keyring
    expect(await ids(source.forRp('shop.example'))).toEqual(['a', 'b'])
    expect(await ids(source.forRp('shop.example', new Set(['b', 'c', 'nobody’s'])))).toEqual(['b'])
    expect(await ids(source.forRp('shop.example', new Set()))).toEqual([])
  })

  it('gives a credential as the last signature left it', async () => {
    const keyring = open()
    await keyring.keep('chip', { name: 'a', credential: credential('a', 1) })
    await keyring.update({ ...credential('a', 1), signCount: 7 })
    for (const seen of [keyring, open()]) {
      expect(await seen.source.forRp('shop.example', new Set(['a']))).toMatchObject([{ signCount: 7 }])
    }
  })

  it('lists the oldest first, whatever comes and goes in between', async () => {
    const keyring = open()
    const listed = () => keyring.list().map(({ id }) => id)
    await keyring.keep('chip', { name: 'late', credential: credential('late', 5) })
    await keyring.keep('chip', { name: 'early', credential: credential('early', 1) })
    expect(listed()).toEqual(['early', 'late'])
    await keyring.keep('chip', { name: 'middle', credential: credential('middle', 3) })
    expect(listed()).toEqual(['early', 'middle', 'late'])
    await keyring.update({ ...credential('middle', 3), signCount: 1 })
    expect(listed()).toEqual(['early', 'middle', 'late'])
    await keyring.discard('early')
    expect(listed()).toEqual(['middle', 'late'])
    keyring.clear()
    expect(listed()).toEqual([])
  })
})
