import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { en } from '../../src-main/messages/en/en.ts'
import { vectorAuthentication, vectorRegistration, vectors } from '../support/ceremony/vectors.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const [vector] = vectors.filter(({ name }) => name.includes('packed-self'))
if (vector === undefined) throw new Error('there is no vector')
const { options, response, origins } = vectorRegistration(vector)

const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), 'input')
  writeFileSync(file, text)
  return file
}
const input = (text: string) => ({ input: Readable.from([Buffer.from(text)]) })
const origin = origins[0] ?? ''

test('a response is judged beside its options: 0 verified, 1 refused with the step, 2 with what is missing', async () => {
  const [file, asked] = [fileWith(JSON.stringify(response)), fileWith(JSON.stringify({ publicKey: options }))]
  const right = await runCommand(['inspect', file, '--options', asked, '--origin', origin])
  expect(right.code).toBe(0)
  expect(right.out).toMatch(/^WebAuthn registration response {2}text\nverified\n {2}\d+ of \d+ checks passed\n/)
  expect(right.out).toContain('SHA-256 of "example.org"')

  const wrong = await runCommand(['inspect', file, '--options', asked, '--origin', 'https://evil.example'])
  expect(wrong.code).toBe(1)
  expect(wrong.out).toContain('✗ 7.1.9 The origin is allowed for the relying party')
  expect(wrong.out).toContain('"https://evil.example"')

  const bare = await runCommand(['inspect', file])
  expect(bare.code).toBe(2)
  expect(bare.out).toContain('For a verdict it needs:\n  --options FILE, the options that it answers\n  --origin URL')
})

test('an authentication is judged with the key that was stored', async () => {
  const signedIn = vectorAuthentication(vector)
  const stored = await signedIn.credential((signedIn.response as { readonly id: string }).id)
  const key = Buffer.from(stored?.publicKey ?? []).toString('base64url')
  const args = ['--options', fileWith(JSON.stringify(signedIn.options)), '--origin', origin, '--public-key', key]
  expect((await runCommand(['inspect', ...args], undefined, input(JSON.stringify(signedIn.response)))).code).toBe(0)
  const counted = await runCommand(
    ['inspect', ...args, '--sign-count', '9'],
    undefined,
    input(JSON.stringify(signedIn.response)),
  )
  expect(counted.code).toBe(1)
  expect(counted.out).toContain('7.2.22')
})

test('standard input is read without a file, and as -, and --json says everything', async () => {
  const said = await runCommand(['inspect'], undefined, input('40104\n'))
  expect(said.code).toBe(0)
  expect(said.out).toContain('The signature does not match')
  const json = await runCommand(['inspect', '-', '--json'], undefined, input('a16161f5'))
  expect(JSON.parse(json.out)).toMatchObject({
    kind: 'cbor',
    written: ['text', 'hex'],
    parts: [{ nodes: [{ name: 'a', value: 'true' }] }],
  })
})

test('what is not recognised says so first, and then what could be read', async () => {
  for (const nonsense of ['Good morning.', '\u0001\u0002\u0003\u00ff']) {
    const { code, out } = await runCommand(['inspect'], undefined, input(nonsense))
    expect(code).toBe(2)
    expect(out.split('  ')[0]).toBe(en.unread.title)
    expect(out).toContain('an attestation object')
    expect((await runCommand(['inspect'], undefined, input('40104'))).out).not.toContain(en.unread.title)
  }
})

test('a secret that is given is not printed', async () => {
  const request =
    'GET /fido/rp/x HTTP/1.1\nHost: a\nX-Svc-Date: 20300101T000000Z\nAuthorization: SVC-HMAC-SHA256 one/fido-server/,host;x-svc-date,'
  const args = ['inspect', '--access-key', 'one:hush-hush-hush-hush-hush', '--json']
  const { code, out, errors } = await runCommand(args, undefined, input(`${request}${'0a'.repeat(32)}\n\n`))
  expect(code).toBe(1)
  expect(out + errors.join('')).not.toContain('hush')
})

test.each<readonly [string, () => readonly string[], string]>([
  ['nothing', () => [], ''],
  ['something unknown', () => [], 'Good morning.'],
  ['bytes of no kind', () => [], '\u0001\u0002\u0003\u00ff'],
  ['a file that there is not', () => ['nowhere.json'], ''],
  ['options that are none', () => ['--options', fileWith('{"a":1}')], '{}'],
  ['a key that is none', () => ['--public-key', 'nonsense'], '{}'],
  ['an origin that is none', () => ['--origin', 'shop'], '{}'],
  [
    'roots that are none',
    () => ['--roots', fileWith('-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----')],
    '{}',
  ],
  ['two files', () => ['a', 'b'], '{}'],
])('of %s it says so, with exit code 2', async (_, args, text) => {
  const { code, out, errors } = await runCommand(['inspect', ...args()], undefined, input(text))
  expect(code).toBe(2)
  expect(out + errors.join('')).not.toBe('')
  expect(errors.join('\n')).not.toContain('    at ')
})

test('what is too large is not read to its end', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1024 * 1024, 'x')
    })(),
  )
  const { code, errors } = await runCommand(['inspect'], undefined, { input: endless })
  expect(code).toBe(2)
  expect(errors.join('')).toContain('more than 4 MiB')
})
