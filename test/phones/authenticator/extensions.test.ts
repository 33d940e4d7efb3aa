import { createHash, createHmac } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, it } from 'vitest'
import { toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { getAssertion } from '../../../src-main/phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../src-main/phones/authenticator/make-credential.ts'
import { MODELS } from '../../../src-main/phones/authenticator/models.ts'
import type { Credential } from '../../../src-main/phones/authenticator/seams.ts'
import {
  goodAssertion,
  goodCreation,
  goodCreationOptions,
  goodPorts,
  goodRequestOptions,
  must,
} from './support/requests.ts'
import { octets } from './support/simplewebauthn.ts'
import { attestationOf } from './support/statement.ts'

type Inputs = Readonly<Record<string, unknown>>

const register = async (extensions: Inputs, change: Parameters<typeof goodCreation>[0] = {}) => {
  const request = goodCreation({ options: { ...goodCreationOptions, extensions }, ...change })
  return makeCredential(request, await goodPorts())
}

const registered = async (extensions: Inputs, change: Parameters<typeof goodCreation>[0] = {}) =>
  must(await register(extensions, change))

const signIn = async (credential: Credential, extensions: Inputs, userVerified = true) => {
  const options = {
    ...goodRequestOptions,
    extensions,
    allowCredentials: [{ type: 'public-key', id: credential.id }],
  } as const
  return getAssertion(goodAssertion([credential], { options, userVerified }), await goodPorts())
}

/** The extension map at the end of authenticator data that has 37 octets and what `before` says. */
const extensionsAfter = (authData: Uint8Array<ArrayBuffer>, before: number) =>
  isoCBOR.decodeFirst(authData.slice(before))

const outputOf = async (extensions: Inputs) => {
  const plain = attestationOf((await registered({})).response).authData.length
  const { authData } = attestationOf((await registered(extensions)).response)
  expect((authData[32] ?? 0) & 0x80).toBe(0x80)
  return extensionsAfter(authData, plain)
}

it('extensions at registration that are not known are not heard', async () => {
  const made = await registered({ appid: 'x', somethingNew: { a: 1 } })
  expect(made.response.clientExtensionResults).toEqual({})
  expect((attestationOf(made.response).authData[32] ?? 0) & 0x80).toBe(0)
})

it('extensions at registration: credProps tells whether the credential is discoverable', async () => {
  expect((await registered({ credProps: true })).response.clientExtensionResults).toEqual({ credProps: { rk: true } })
  const made = await registered({ credProps: true }, { model: MODELS['token-u2f'] })
  expect(made.response.clientExtensionResults).toEqual({ credProps: { rk: false } })
})

it('extensions at registration: credProtect and minPinLength are in the authenticator data', async () => {
  const asked = { credentialProtectionPolicy: 'userVerificationRequired', minPinLength: true }
  expect(await outputOf(asked)).toEqual(
    new Map([
      ['credProtect', 3],
      ['minPinLength', 4],
    ]),
  )
})

it('extensions at registration: prf enables hmac-secret and answers at once where it is asked', async () => {
  const asked = { prf: { eval: { first: toBase64url(utf8('salt')) } } }
  expect(await outputOf(asked)).toEqual(new Map([['hmac-secret', true]]))
  const made = await registered(asked)
  const secret = octets(made.credential.extensions.hmacSecret?.withUv ?? '')
  const salt = createHash('sha256').update('WebAuthn PRF\0salt').digest()
  expect(made.response.clientExtensionResults.prf).toEqual({
    enabled: true,
    results: { first: createHmac('sha256', secret).update(salt).digest('base64url') },
  })
})

it('extensions at registration: prf of a model without it says that it is not enabled', async () => {
  const made = await registered({ prf: {} }, { model: MODELS['token-u2f'] })
  expect(made.response.clientExtensionResults).toEqual({ prf: { enabled: false } })
})

it('extensions at registration: largeBlob is supported, not supported, or refused where it is required', async () => {
  const without = { ...MODELS['granite-self'], largeBlob: false }
  const preferred = { largeBlob: { support: 'preferred' } }
  const supported = (made: Awaited<ReturnType<typeof registered>>) => made.response.clientExtensionResults.largeBlob
  expect(supported(await registered(preferred))).toEqual({ supported: true })
  expect(supported(await registered(preferred, { model: without }))).toEqual({ supported: false })
  const refused = await register({ largeBlob: { support: 'required' } }, { model: without })
  expect(refused.ok ? 'accepted' : refused.error.code).toBe('large_blob_unavailable')
})

it('extensions at sign-in: prf gives the same for the same salt, another for another, and encrypted ones to the service', async () => {
  const { credential } = await registered({ prf: {} })
  const asked = { prf: { eval: { first: 'AAAA', second: 'BBBB' } } }
  const one = must(await signIn(credential, asked))
  const again = must(await signIn(credential, asked))
  const other = must(await signIn(credential, { prf: { eval: { first: 'BBBB' } } }))
  const results = (made: typeof one) =>
    (made.response.clientExtensionResults.prf as { results: { first: string; second?: string } }).results
  expect(results(one)).toEqual(results(again))
  expect(results(other).first).toBe(results(one).second)
  const authData = octets(one.response.response.authenticatorData)
  const sealed = (extensionsAfter(authData, 37) as Map<string, Uint8Array>).get('hmac-secret')
  expect(sealed?.length).toBe(80)
})

it('extensions at sign-in: prf prefers the salts that are meant for the credential', async () => {
  const { credential } = await registered({ prf: {} })
  const own = must(
    await signIn(credential, {
      prf: { eval: { first: 'AAAA' }, evalByCredential: { [credential.id]: { first: 'BBBB' } } },
    }),
  )
  const same = must(await signIn(credential, { prf: { eval: { first: 'BBBB' } } }))
  expect(own.response.clientExtensionResults).toEqual(same.response.clientExtensionResults)
})

it('extensions at sign-in: prf says nothing of a user who was not verified', async () => {
  const { credential } = await registered({ prf: {} })
  const made = must(await signIn(credential, { prf: { eval: { first: 'AAAA' } } }, false))
  expect(made.response.clientExtensionResults).toEqual({ prf: {} })
})

it('extensions at sign-in: largeBlob gives back what was written', async () => {
  const { credential } = await registered({ largeBlob: { support: 'preferred' } })
  const empty = must(await signIn(credential, { largeBlob: { read: true } }))
  expect(empty.response.clientExtensionResults).toEqual({ largeBlob: {} })
  const written = must(await signIn(credential, { largeBlob: { write: 'AQID' } }))
  expect(written.response.clientExtensionResults).toEqual({ largeBlob: { written: true } })
  const read = must(await signIn(written.credential, { largeBlob: { read: true } }))
  expect(read.response.clientExtensionResults).toEqual({ largeBlob: { blob: 'AQID' } })
})

it.each([
  ['userVerificationOptional', true, true],
  ['userVerificationOptionalWithCredentialIDList', false, true],
  ['userVerificationRequired', false, false],
])('credProtect %s: usable by an unverified user without list: %s, with list: %s', async (policy, alone, listed) => {
  const { credential } = await registered({ credentialProtectionPolicy: policy })
  const unlisted = await getAssertion(goodAssertion([credential], { userVerified: false }), await goodPorts())
  expect(unlisted.ok).toBe(alone)
  expect((await signIn(credential, {}, false)).ok).toBe(listed)
  expect((await signIn(credential, {}, true)).ok).toBe(true)
})
