import { expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { inspect } from '../../src-main/inspect/inspect.ts'
import { type Bytes, utf8 } from '../../src-main/protocol/bytes.ts'
import { below, type RandomSource } from '../../src-main/protocol/random.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { signingCrypto } from '../../src-main/service/signing/signatures-admin.ts'
import { vectorAuthentication, vectorRegistration, vectorRoot, vectors } from '../support/ceremony/vectors.ts'
import { isLong } from '../support/parts.ts'
import { workOf } from '../support/work-of.ts'

const ports = { crypto: nodeCrypto, signing: signingCrypto, now: Date.UTC(2030, 0, 1) }
/** Without an access key: to find out how a request was signed wrongly takes some 25,000 tries. */
const GIVEN = { origins: ['https://example.org'] }
/** `npm test` has a part of them, from the same seed. */
const COUNT = isLong ? 200_000 : 5_000
const SLOWEST_MS = 2_000

test('every input of up to two bytes is told as something', async () => {
  const step = isLong ? 1 : 17
  for (let n = -257; n < 65_536; n += step) {
    const bytes = n < -256 ? new Uint8Array(0) : n < 0 ? Uint8Array.of(n + 256) : Uint8Array.of(n >> 8, n & 0xff)
    const { kind } = await inspect(bytes, {}, ports)
    expect(kind).toBeTypeOf('string')
  }
})

const seeds: readonly Bytes[] = [
  ...vectors
    .slice(0, 6)
    .flatMap((vector) => [
      utf8(JSON.stringify({ ...vectorRegistration(vector), roots: undefined })),
      utf8(JSON.stringify(vectorAuthentication(vector))),
      utf8(vector.registration.attestationObject),
      Uint8Array.from(Buffer.from(vector.registration.attestationObject, 'hex')),
      Uint8Array.from(Buffer.from(vector.authentication.authenticatorData, 'hex')),
    ]),
  vectorRoot,
  utf8(`-----BEGIN CERTIFICATE-----\n${Buffer.from(vectorRoot).toString('base64')}\n-----END CERTIFICATE-----`),
  utf8(
    `POST /fido/rp/x HTTP/1.1\r\nHost: a\r\nX-Svc-Date: 20300101T000000Z\r\nAuthorization: SVC-HMAC-SHA256 shop/fido-server/,host;x-svc-date,${'0a'.repeat(32)}\r\n\r\n{"a":1}`,
  ),
  utf8('eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.AAAA'),
  utf8(
    '{"log":{"entries":[{"request":{"method":"GET","url":"http://a/b","headers":[{"name":"Authorization","value":"SVC-a"}]},"response":{"status":1}}]}}',
  ),
  utf8('FIDO:/130864008381073036673327190125951157'),
  utf8(`SVC-HMAC-SHA256\n20300101T000000Z\nfido-server/\n${'0a'.repeat(32)}`),
  utf8("curl 'http://localhost:7420/a' -H 'X-Svc-Date: 20300101T000000Z' --data '{}'"),
  utf8('https://login.shop.example/a?b=%2F'),
  utf8('Uncaught (in promise) NotAllowedError: no'),
  utf8('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
  Uint8Array.from(Buffer.from('02a101676578616d706c65', 'hex')),
  utf8('name: x\nsteps:\n  - a: {b: [1, 2]}\n'),
]

const mutated = (dice: RandomSource): Bytes => {
  const seed = seeds[below(dice, seeds.length)] ?? utf8('')
  const other = seeds[below(dice, seeds.length)] ?? utf8('')
  const out = seed.slice()
  switch (below(dice, 5)) {
    case 0:
      return out.subarray(0, below(dice, out.length + 1)).slice()
    case 1:
      return Uint8Array.from([
        ...out.subarray(0, below(dice, out.length)),
        ...other.subarray(below(dice, other.length)),
      ])
    case 2:
      return dice.bytes(below(dice, 80))
    default:
      for (let i = below(dice, 8) + 1; i > 0; i--) out[below(dice, out.length)] = below(dice, 256)
      return out
  }
}

test(`${COUNT} inputs that are nearly right or nothing take at most ${SLOWEST_MS} ms of work each`, async () => {
  const dice = createRandom({ seed: 24, boot: 0 }).stream('main', 'inspect', 'fuzz')
  for (let n = 0; n < COUNT; n++) {
    const input = mutated(dice)
    const work = await workOf(async () => {
      const found = await inspect(input, GIVEN, ports)
      if (found.verdict === 'verified' && found.missing.length > 0) throw new Error(`verified without ${found.missing}`)
    })
    if (work > SLOWEST_MS) throw new Error(`${work} ms for ${Buffer.from(input).toString('base64')}`)
  }
})

test.each(['A', 'a5', 'a.', '.1', 'a: 1\n', "'a' ", '%41', 'data: x\n', 'a=1&', '1,', '\\', '-----BEGIN A-----\n'])(
  'megabytes of %j do not stop it, whatever stands before them',
  async (piece) => {
    for (const head of ['', 'https://', 'curl ', 'FIDO:/', 'POST / HTTP/1.1\n', '[', 'steps:\n', 'eyJhIjoxfQ.']) {
      const { kind } = await inspect(utf8(head + piece.repeat(1_000_000 / piece.length)), GIVEN, ports)
      expect(kind).toBeTypeOf('string')
    }
  },
)
