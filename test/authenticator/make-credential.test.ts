import { describe, expect, it } from 'vitest'
import { FLAGS } from '../../src-main/authenticator/authenticator-data.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/authenticator/models.ts'
import type { CreationOptionsJson } from '../../src-main/protocol/webauthn-json.ts'
import { goodCreation, goodCreationOptions, goodPorts, holding, must, RP_ID } from './support/requests.ts'
import { octets } from './support/simplewebauthn.ts'
import { attestationOf } from './support/statement.ts'

const options = (change: Partial<CreationOptionsJson>): CreationOptionsJson => ({ ...goodCreationOptions, ...change })

const refusalOf = async (request: Parameters<typeof makeCredential>[0]) => {
  const result = await makeCredential(request, await goodPorts())
  return result.ok ? 'accepted' : result.error.code
}

const flagsOf = (authData: Uint8Array) => authData[32] ?? 0

describe('making a credential', () => {
  it('keeps everything as plain JSON', async () => {
    const { credential } = must(await makeCredential(goodCreation(), await goodPorts()))
    expect(JSON.parse(JSON.stringify(credential))).toEqual(credential)
    expect(credential).toMatchObject({
      rpId: RP_ID,
      userHandle: 'dXNlci0x',
      userName: 'li.wei',
      displayName: 'Li Wei',
      algorithm: -7,
      signCount: 0,
      discoverable: true,
    })
  })

  it('in the chip is not eligible for backup; in the cloud it is, and it is backed up', async () => {
    const backup = FLAGS.BE | FLAGS.BS
    const chip = must(await makeCredential(goodCreation({ storage: 'chip' }), await goodPorts()))
    const cloud = must(await makeCredential(goodCreation({ storage: 'cloud' }), await goodPorts()))
    expect(flagsOf(attestationOf(chip.response).authData) & backup).toBe(0)
    expect(flagsOf(attestationOf(cloud.response).authData) & backup).toBe(backup)
    expect(cloud.credential).toMatchObject({ backupEligible: true, backupState: true, counter: 'zero' })
  })

  it('says that the user was verified only when that is so', async () => {
    const made = must(await makeCredential(goodCreation({ userVerified: false }), await goodPorts()))
    expect(flagsOf(attestationOf(made.response).authData) & FLAGS.UV).toBe(0)
  })

  it("takes the first of the service's algorithms that the model has", async () => {
    const model = { ...MODELS['granite-self'], algorithms: ['RS256', 'ES384', 'Ed25519'] } as const
    const params = [-7, -8, -35].map((alg) => ({ type: 'public-key', alg }) as const)
    const request = goodCreation({ model, options: options({ pubKeyCredParams: params }) })
    expect(must(await makeCredential(request, await goodPorts())).credential.algorithm).toBe(-8)
  })

  it('takes ES256 or RS256 when the service names no algorithm', async () => {
    const model = { ...MODELS['granite-self'], algorithms: ['Ed25519', 'RS256'] } as const
    const request = goodCreation({ model, options: options({ pubKeyCredParams: [] }) })
    expect(must(await makeCredential(request, await goodPorts())).credential.algorithm).toBe(-257)
  })

  it('refuses when there is no algorithm in common', async () => {
    const params = [{ type: 'public-key', alg: -257 }] as const
    expect(await refusalOf(goodCreation({ options: options({ pubKeyCredParams: params }) }))).toBe(
      'no_supported_algorithm',
    )
  })

  it('refuses an algorithm that its attestation cannot speak for', async () => {
    const model = { ...MODELS['token-u2f'], algorithms: ['ES384'] } as const
    const params = [{ type: 'public-key', alg: -35 }] as const
    expect(await refusalOf(goodCreation({ model, options: options({ pubKeyCredParams: params }) }))).toBe(
      'no_supported_algorithm',
    )
  })

  it('refuses when it holds an excluded credential, and only then', async () => {
    const { credential } = must(await makeCredential(goodCreation(), await goodPorts()))
    const excludeCredentials = [{ type: 'public-key', id: credential.id }] as const
    const excluding = options({ excludeCredentials })
    expect(await refusalOf(goodCreation({ options: excluding, existing: holding(credential) }))).toBe(
      'credential_excluded',
    )
    expect(await refusalOf(goodCreation({ options: excluding }))).toBe('accepted')
    expect(await refusalOf(goodCreation({ existing: holding(credential) }))).toBe('accepted')
  })

  it('refuses when the user must be verified and is not', async () => {
    const required = options({ authenticatorSelection: { userVerification: 'required' } })
    expect(await refusalOf(goodCreation({ options: required, userVerified: false }))).toBe(
      'user_verification_unavailable',
    )
    expect(await refusalOf(goodCreation({ options: required }))).toBe('accepted')
  })

  it('refuses a required discoverable credential that the model cannot keep', async () => {
    const model = MODELS['token-u2f']
    const required = options({ authenticatorSelection: { residentKey: 'required' } })
    expect(await refusalOf(goodCreation({ model, options: required }))).toBe('resident_key_unavailable')
  })

  it.each([
    ['https://example.org', 'accepted'],
    ['https://a.b.example.org:8443', 'accepted'],
    ['http://example.org', 'accepted'],
    ['android:apk-key-hash:abc', 'accepted'],
    ['https://badexample.org', 'rp_id_not_for_origin'],
    ['https://example.org.evil.test', 'rp_id_not_for_origin'],
    ['https://org', 'rp_id_not_for_origin'],
  ])('for %s is %s', async (origin, outcome) => {
    expect(await refusalOf(goodCreation({ origin }))).toBe(outcome)
  })

  it('refuses options that are no base64url', async () => {
    expect(await refusalOf(goodCreation({ options: options({ challenge: 'a+b=' }) }))).toBe('malformed_options')
    const user = { ...goodCreationOptions.user, id: '=' }
    expect(await refusalOf(goodCreation({ options: options({ user }) }))).toBe('malformed_options')
  })

  it('conveys no attestation when the service does not say that it wants one', async () => {
    const { attestation: _, ...silent } = goodCreationOptions
    const made = must(await makeCredential(goodCreation({ options: silent }), await goodPorts()))
    expect(attestationOf(made.response).fmt).toBe('none')
  })

  it('makes IDs of up to 1,023 octets', async () => {
    const made = must(await makeCredential(goodCreation({ model: MODELS['long-id'] }), await goodPorts()))
    expect(octets(made.credential.id).length).toBe(1023)
    expect(made.response.rawId).toBe(made.credential.id)
  })
})
