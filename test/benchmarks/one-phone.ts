import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import { toBase64url } from '../../src-main/core/protocol/bytes.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../src-main/core/protocol/webauthn-json.ts'
import { makeAttestationAuthority } from '../../src-main/phones/authenticator/attestation/attestation-authority.ts'
import { getAssertion } from '../../src-main/phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/phones/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/phones/authenticator/models.ts'
import { createChip, createKeyring, type Keyring } from '../../src-main/phones/phone/phone-core.ts'
import { createVault } from '../../src-main/phones/phone/vault.ts'
import { phoneStorage } from '../support/phone-storage.ts'

const RP_ID = 'localhost'
const ORIGIN = 'http://localhost:7420'

/** Options as the service makes them, for person number n. */
export const creationOptions = (n: number): CreationOptionsJson => ({
  rp: { id: RP_ID, name: 'Bench' },
  user: { id: toBase64url(Buffer.from(`person-${n}`)), name: `person-${n}`, displayName: `Person ${n}` },
  challenge: challengeOf(n),
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  attestation: 'none',
})

export const requestOptions = (n: number, id: string): RequestOptionsJson => ({
  challenge: challengeOf(n),
  rpId: RP_ID,
  allowCredentials: [{ type: 'public-key', id }],
  userVerification: 'preferred',
})

const challengeOf = (n: number): string => toBase64url(Buffer.alloc(32, n))

/** One phone’s authenticator and its keyring, on a disk as usual; without the network around it. */
type OnePhone = {
  /** Gives the new credential’s id. */
  create(options: CreationOptionsJson): Promise<string>
  get(options: RequestOptionsJson): Promise<void>
  close(): Promise<void>
}

export const openPhone = async (): Promise<OnePhone> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-bench-'))
  const storage = phoneStorage(join(folder, 'phones.db'))
  const owner = { workspace: 'main', phoneId: 'ph_bench' }
  storage.savePhone('main', { id: owner.phoneId, json: '{}' })
  const random = createRandom({}).stream('main', owner.phoneId, 'authenticator')
  const vault = createVault({
    call: () => Promise.reject(new Error('the bench has no cloud')),
    key: () => undefined,
    random: () => random,
  })
  const keyring: Keyring = createKeyring(createChip(storage, owner), vault)
  const attestationKeys = makeAttestationAuthority({ random, now: Date.now() })
  const ports = { random, now: Date.now, attestationKeys }
  return {
    create: async (options) => {
      const made = await makeCredential(
        {
          options,
          origin: ORIGIN,
          model: MODELS['granite-one'],
          storage: 'chip',
          userVerified: true,
          existing: keyring.source,
        },
        ports,
      )
      if (!made.ok) throw new Error(made.error.code)
      const { credential } = made.value
      await keyring.keep('chip', { name: credential.userName, credential })
      return credential.id
    },
    get: async (options) => {
      const made = await getAssertion(
        { options, origin: ORIGIN, userVerified: true, credentials: keyring.source },
        ports,
      )
      if (!made.ok) throw new Error(made.error.code)
      await keyring.update(made.value.credential)
    },
    close: async () => {
      await storage.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
