import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FAILURE_WORDS } from '../../src-main/contract/judge/failure-words.ts'
import { toBase64url } from '../../src-main/protocol/bytes.ts'
import { authentication } from '../support/ceremony/authentication.ts'
import { rootCertificate } from '../support/ceremony/certificates.ts'
import { registration } from '../support/ceremony/registration.ts'
import { packedStatement, tpmStatement } from '../support/ceremony/statements.ts'
import { judgedAuthentication, judgedRegistration } from '../support/ceremony/verdicts.ts'

const settings = { seed: 7, numRuns: 400 }

const isVerdict = (verdict: Awaited<ReturnType<typeof judgedRegistration>>) =>
  verdict.accepted || (verdict.failure !== undefined && FAILURE_WORDS.includes(verdict.failure.word))

const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record(
    {
      id: fc.oneof(fc.constant('AAAA'), fc.jsonValue({ maxDepth: 1 })),
      rawId: fc.oneof(fc.constant('AAAA'), fc.jsonValue({ maxDepth: 1 })),
      type: fc.constantFrom('public-key', 'x', null),
      clientExtensionResults: fc.jsonValue({ maxDepth: 2 }),
      response: fc.oneof(
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(
          fc.constantFrom(
            'clientDataJSON',
            'attestationObject',
            'authenticatorData',
            'signature',
            'userHandle',
            'transports',
          ),
          fc.oneof(
            fc.uint8Array({ maxLength: 80 }).map(toBase64url),
            fc.json().map((text) => toBase64url(new TextEncoder().encode(text))),
            fc.jsonValue({ maxDepth: 2 }),
          ),
        ),
      ),
    },
    { requiredKeys: [] },
  ),
)

it('any JSON whatsoever as a registration has a verdict with a word', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (response) => {
      const verdict = await judgedRegistration(registration({ response: () => response }))
      return isVerdict(verdict) && verdict.steps.length === 29
    }),
    settings,
  )
})

it('any JSON whatsoever as an authentication has a verdict with a word', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, async (response) => {
      const verdict = await judgedAuthentication(authentication({ response: () => response }))
      return verdict.failure !== undefined && verdict.steps.length === 25
    }),
    settings,
  )
})

const damage = fc.record({ at: fc.nat(), xor: fc.integer({ min: 1, max: 255 }), cut: fc.boolean() })

const damaged = (bytes: Uint8Array, { at, xor, cut }: { at: number; xor: number; cut: boolean }): Uint8Array => {
  const index = at % bytes.length
  return cut ? bytes.slice(0, index) : bytes.map((byte, i) => (i === index ? byte ^ xor : byte))
}

it.each([
  ['packed', packedStatement()],
  ['tpm', tpmStatement()],
] as const)('a trusted %s attestation object damaged anywhere is never accepted', async (format, statement) => {
  const trusted = { attestation: 'require-trusted', roots: [rootCertificate()] } as const
  const good = registration({ format, statement, case: trusted })
  const response = good.response as { response: { attestationObject: string } }
  const object = Uint8Array.from(Buffer.from(response.response.attestationObject, 'base64url'))
  expect((await judgedRegistration(good)).accepted).toBe(true)
  await fc.assert(
    fc.asyncProperty(damage, async (change) => {
      const attestationObject = toBase64url(damaged(object, change))
      const changed = { ...response, response: { ...response.response, attestationObject } }
      return !(await judgedRegistration({ ...good, response: changed })).accepted
    }),
    settings,
  )
})

it('a megabyte of nesting or of members costs next to nothing', async () => {
  const nested = toBase64url(new Uint8Array(90_000).fill(0x81))
  const wide = toBase64url(Uint8Array.from([0x9a, 0, 1, 0x5f, 0, ...new Uint8Array(89_000)]))
  for (const attestationObject of [nested, wide]) {
    const input = registration({
      response: (built) => ({ ...built, response: { ...built.response, attestationObject } }),
    })
    const verdict = await judgedRegistration(input)
    expect(['cbor_too_deep', 'cbor_too_many_items', 'malformed_attestation_object']).toContain(verdict.failure?.word)
  }
})
