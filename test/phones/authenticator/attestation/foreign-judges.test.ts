import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fido2Lib } from 'fido2-lib'
import { describe, expect, it } from 'vitest'
import type { RegistrationResponseJson } from '../../../../src-main/core/protocol/webauthn-json.ts'
import { makeCredential } from '../../../../src-main/phones/authenticator/make-credential.ts'
import { MODELS, type ModelName } from '../../../../src-main/phones/authenticator/models.ts'
import { folderOfFile } from '../../../support/temporary-folder.ts'
import {
  goodCreation,
  goodCreationOptions,
  goodPorts,
  must,
  NOW,
  ORIGIN,
  RP_ID,
  rootsAsPem,
  toPem,
} from '../support/requests.ts'
import { octets } from '../support/simplewebauthn.ts'
import { chainOf } from '../support/statement.ts'

const register = async (name: ModelName, alg: number): Promise<RegistrationResponseJson> => {
  const options = { ...goodCreationOptions, pubKeyCredParams: [{ type: 'public-key', alg }] } as const
  return must(await makeCredential(goodCreation({ model: MODELS[name], options }), await goodPorts())).response
}

const TPMS = [
  ['slate-tpm', -257],
  ['slate-tpm', -7],
  ['slate-ecc', -7],
] as const satisfies readonly (readonly [ModelName, number])[]

const CHAINS = [
  ...TPMS,
  ['granite-one', -7],
  ['granite-plain', -7],
  ['token-u2f', -7],
  ['droid-keystore', -7],
  ['droid-strongbox', -7],
  ['droid-software', -7],
  ['orchard-key', -7],
  ['orchard-2020', -7],
  ['droid-classic', -7],
] as const satisfies readonly (readonly [ModelName, number])[]

// It knows no elliptic curves in a TPM, no android-key, and Apple's chain only under Apple's root.
it.each([
  ['slate-tpm', -257],
  ['granite-one', -7],
  ['granite-plain', -7],
  ['token-u2f', -7],
  ['granite-self', -7],
] as const)('fido2-lib accepts: %s with a credential of algorithm %i', async (name, alg) => {
  const answer = await register(name, alg)
  const judge = new Fido2Lib({ rpId: RP_ID, cryptoParams: [alg], attestation: 'direct' })
  const id = octets(answer.id).buffer
  const { clientDataJSON, attestationObject } = answer.response
  const result = await judge.attestationResult(
    { id, rawId: id, response: { clientDataJSON, attestationObject } },
    { rpId: RP_ID, origin: ORIGIN, challenge: goodCreationOptions.challenge, factor: 'either' },
  )
  expect(result.audit.complete).toBe(true)
  expect(result.authnrData.get('fmt')).toBe(MODELS[name].attestation === 'self' ? 'packed' : MODELS[name].attestation)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const folder = folderOfFile()

if (!hasOpenssl) console.warn('openssl is missing: its judgement of our chains is skipped (apt-get install openssl)')

describe.skipIf(!hasOpenssl)('OpenSSL, strict about X.509, accepts the chain of', () => {
  const file = (name: string, pem: string): string => {
    const path = join(folder, name)
    writeFileSync(path, pem)
    return path
  }

  const verify = async (name: ModelName, alg: number, root: string) => {
    const [leaf = new Uint8Array(), ...above] = chainOf(await register(name, alg))
    const chain = file(`${name}-chain.pem`, above.map(toPem).join(''))
    const paths = ['-CAfile', file(`${name}-root.pem`, root), ...(above.length > 0 ? ['-untrusted', chain] : [])]
    const rules = ['-x509_strict', '-policy_check', '-attime', String(NOW / 1000)]
    const { status, stdout, stderr } = spawnSync('openssl', [
      'verify',
      ...rules,
      ...paths,
      file(`${name}-leaf.pem`, toPem(leaf)),
    ])
    return { status, said: `${stdout}${stderr}` }
  }

  const rootOf = async (name: ModelName): Promise<string> => {
    const roots = rootsAsPem((await goodPorts()).attestationKeys)
    const { attestation } = MODELS[name]
    return attestation === 'none' || attestation === 'self' || attestation === 'compound' ? '' : roots[attestation]
  }

  it.each(CHAINS)('%s with a credential of algorithm %i', async (name, alg) => {
    expect(await verify(name, alg, await rootOf(name))).toMatchObject({ status: 0 })
  })

  it('no judge under a root that did not issue it', async () => {
    expect((await verify('slate-tpm', -257, await rootOf('granite-one'))).status).not.toBe(0)
  })

  it('reads the policies of a TPM’s certificate as Windows writes them', async () => {
    const [leaf = new Uint8Array()] = chainOf(await register('slate-tpm', -257))
    const text = String(execFileSync('openssl', ['x509', '-noout', '-text', '-in', file('aik.pem', toPem(leaf))]))
    expect(text).toContain('X509v3 Certificate Policies: critical')
    expect(text).toContain('Policy: 1.3.6.1.4.1.311.21.31')
  })
})
