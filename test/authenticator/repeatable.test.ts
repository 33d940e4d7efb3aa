import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../src-main/authenticator/algorithms.ts'
import {
  type AttestationKind,
  makeRepeatableAuthority,
  rootsAsPem,
} from '../../src-main/authenticator/attestation/attestation-authority.ts'
import { ATTESTATION_FORMATS } from '../../src-main/authenticator/attestation/formats/attestation-formats.ts'
import { FAULTS, seamsOf } from '../../src-main/authenticator/faults.ts'
import { getAssertion } from '../../src-main/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { MODELS } from '../../src-main/authenticator/models.ts'
import { concat } from '../../src-main/protocol/bytes.ts'
import { goodAssertion, goodCreation, goodCreationOptions, goodPorts, must, NOW } from './support/requests.ts'
import { seededRandom } from './support/seeded-random.ts'
import { octets } from './support/simplewebauthn.ts'
import { verifySignature } from './support/verify-signature.ts'

const names = Object.keys(ALGORITHMS) as AlgorithmName[]
const pairs = (Object.keys(ATTESTATION_FORMATS) as AttestationKind[]).flatMap((kind) =>
  names.filter((name) => ATTESTATION_FORMATS[kind].supports(algorithmNamed(name))).map((name) => [kind, name] as const),
)

const run = async (kind: AttestationKind, name: AlgorithmName, random: { seed: string; repeatable: boolean }) => {
  const ports = await goodPorts(random.seed, random)
  const options = {
    ...goodCreationOptions,
    pubKeyCredParams: [{ type: 'public-key', alg: ALGORITHMS[name].cose }],
    extensions: { prf: {}, largeBlob: { support: 'preferred' } },
  } as const
  const model = { ...MODELS['granite-one'], algorithms: [name], attestation: kind } as const
  const made = must(await makeCredential(goodCreation({ options, model }), ports))
  const asked = { extensions: { prf: { eval: { first: 'AAAA' } } } }
  const request = goodAssertion([made.credential])
  const signed = must(await getAssertion({ ...request, options: { ...request.options, ...asked } }, ports))
  return { made, signed }
}

describe('under a seed', () => {
  it.each(pairs)('%s with %s gives the same bytes twice, and others under another seed', async (kind, name) => {
    const once = await run(kind, name, { seed: 'one', repeatable: true })
    expect(await run(kind, name, { seed: 'one', repeatable: true })).toEqual(once)
    const other = await run(kind, name, { seed: 'two', repeatable: true })
    expect(other.made.credential.id).not.toBe(once.made.credential.id)
    expect(other.signed.response.response.signature).not.toBe(once.signed.response.response.signature)
  })

  const othersSign = Object.values(FAULTS).filter(
    ({ apply }) => 'seams' in apply && 'attestationSigning' in apply.seams,
  )
  const phones = ['granite-one', 'granite-self', 'orchard-key', 'droid-keystore', 'droid-classic', 'slate-tpm'] as const

  it.each(phones)(
    '%s attests alike twice with a fault that changes who signs, also with one for other phones',
    async (name) => {
      expect(othersSign.length).toBeGreaterThan(3)
      for (const fault of othersSign) {
        const once = async () => {
          const creation = goodCreation({ model: MODELS[name], seams: seamsOf([fault]) })
          return must(await makeCredential(creation, await goodPorts('one', { repeatable: true })))
        }
        expect(await once(), fault.name).toEqual(await once())
      }
    },
  )

  it('the makers of a workspace are the same ones', () => {
    const make = (seed: string) => makeRepeatableAuthority({ random: seededRandom(seed), now: NOW })
    expect(make('one')).toEqual(make('one'))
    expect(rootsAsPem(make('one'))).not.toEqual(rootsAsPem(make('two')))
  })

  it('the makers of a workspace are plain JSON', () => {
    const authority = makeRepeatableAuthority({ random: seededRandom('one'), now: NOW })
    expect(JSON.parse(JSON.stringify(authority))).toEqual(authority)
  })
})

describe('without a seed', () => {
  it.each(names)('%s signs so that node:crypto verifies it', async (name) => {
    const { made, signed } = await run('none', name, { seed: 'one', repeatable: false })
    const { authenticatorData, clientDataJSON, signature } = signed.response.response
    const hash = createHash('sha256').update(octets(clientDataJSON)).digest()
    const holds = verifySignature({
      algorithm: algorithmNamed(name),
      publicKey: octets(made.response.response.publicKey ?? ''),
      data: concat(octets(authenticatorData), hash),
      signature: octets(signature),
    })
    expect(holds).toBe(true)
  })

  it('makes RSA keys of its own instead of those of the pool', async () => {
    const first = await run('none', 'RS256', { seed: 'one', repeatable: false })
    const second = await run('none', 'RS256', { seed: 'one', repeatable: false })
    expect(first.made.credential.privateKey).not.toEqual(second.made.credential.privateKey)
  })
})
