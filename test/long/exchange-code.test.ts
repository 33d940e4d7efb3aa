import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchangeCode, type Signers } from '../../src-main/code/exchange-code.ts'
import { CODE_LANGUAGES, type CodeLanguage } from '../../src-main/code/languages.ts'
import type { ExchangeFact } from '../../src-main/contract/events.ts'
import { latin1, octetsOf, utf8 } from '../../src-main/protocol/bytes.ts'
import type { HeaderPair } from '../../src-main/protocol/canonical-request.ts'
import { MASK } from '../../src-main/protocol/secret.ts'
import { parseSvcDate } from '../../src-main/protocol/time.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { ROOT } from '../support/imports.ts'
import { taken } from '../support/taken.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const signer = (file: string): string => readFileSync(join(ROOT, 'docs/interface/signing', file), 'utf8')
const signers: Signers = {
  curl: signer('sign.sh'),
  node: signer('sign.mjs'),
  python: signer('sign.py'),
  java: signer('Sign.java'),
  go: signer('sign.go'),
}
const SECRET = 's\'e$cret\\ "%s" 李'
const KEY = 'ak_1'

const PROGRAMS = {
  curl: { needs: ['bash', 'curl', 'openssl'], file: 'call.sh', run: ['bash'] },
  node: { needs: [], file: 'call.mjs', run: [process.execPath] },
  python: { needs: ['python3'], file: 'call.py', run: ['python3'] },
  java: { needs: ['java', 'javac'], file: 'Call.java', run: ['java', '-XX:TieredStopAtLevel=1'] },
  go: { needs: ['go'], file: 'call.go', run: ['go', 'run'] },
} as const satisfies Readonly<Record<CodeLanguage, unknown>>

/** Where every language must be there, one that is missing fails. */
const mayBeMissing = process.env.HANDSET_TEST_LANGUAGES !== 'all'
const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

type Came = {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  readonly body: Buffer
}

let came: Came | undefined
const server = createServer(async (request: IncomingMessage, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const { method = '', url = '', rawHeaders } = request
  const headers = rawHeaders.flatMap((name, i): readonly HeaderPair[] =>
    i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? '']] : [],
  )
  came = { method, target: url, headers, body: Buffer.concat(parts) }
  response.end('{"code":0,"data":{"said":"李"},"error":""}')
})
beforeAll(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)))
afterAll(() => server.close())
const host = (): string => `localhost:${(server.address() as AddressInfo).port}`

const run = async (language: CodeLanguage, code: string): Promise<string> => {
  const { file, run } = PROGRAMS[language]
  const path = join(folder, file)
  writeFileSync(path, code)
  const [program, ...args] = run
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    GOCACHE: join(folder, 'go'),
    GOFLAGS: '-mod=mod',
    LC_ALL: 'C.UTF-8',
  }
  const child = spawn(program, [...args, path], {
    cwd: folder,
    env: { ...env, SECRET_KEY: SECRET, DEVICE_TOKEN: 'dt-1' },
  })
  const errors = text(child.stderr)
  const out = await text(child.stdout)
  expect(out, await errors).toBe('{"code":0,"data":{"said":"李"},"error":""}')
  return out
}

type Wanted = Partial<Pick<ExchangeFact['request'], 'method' | 'target' | 'body'>> & {
  readonly headers?: readonly HeaderPair[]
  readonly short?: boolean
  readonly identifier?: string
}

/** As an RP signed it a while ago. */
const exchangeOf = ({
  method = 'POST',
  target = '/fido/rp/assertion/options',
  body = '',
  headers = [],
  short = false,
  identifier = '',
}: Wanted): ExchangeFact => {
  const signed = taken(
    signRequest(
      { method, host: host(), target, body: utf8(body), headers },
      { accessKeyId: KEY, secretKey: 'another secret', scopeIdentifier: identifier, form: short ? 'short' : 'general' },
      Date.UTC(2020, 0, 1),
    ),
  )
  return {
    kind: 'exchange',
    interface: 'rp',
    request: { id: 'req_1', method, target, headers: signed.headers, body, body_bytes: utf8(body).length },
    response: { status: 200, code: 0, headers: [], body: '' },
    access_key_id: KEY,
    scope: `fido-server/${octetsOf(identifier)}`,
    took_us: 1,
  }
}

const headerIn = ({ headers }: Came, wanted: string): string =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value)
    .join('|')

/** Held against the only signer: it signed what came, under the secret of the environment. */
const expectSigned = (sent: Came, { headers = [], short = false, identifier = '' }: Wanted): void => {
  const time = taken(parseSvcDate(headerIn(sent, 'x-svc-date')))
  const again = taken(
    signRequest(
      { method: sent.method, host: host(), target: sent.target, body: sent.body, headers },
      { accessKeyId: KEY, secretKey: SECRET, scopeIdentifier: identifier, form: short ? 'short' : 'general' },
      time,
    ),
  )
  const [, authorization] = again.headers.find(([name]) => name === 'Authorization') ?? []
  expect(headerIn(sent, 'authorization')).toBe(authorization)
}

const PIECES = [
  "'",
  '"',
  '\\',
  '\\\\',
  '\n',
  '\r\n',
  '\t',
  '$(touch owned)',
  '`touch owned`',
  `\${HOME}`,
  '%',
  '%s',
  '%41',
  '\\u0041',
  '\\n',
  '李伟',
  '🔑',
  '\u2028',
  '\u202e',
  '\ufeff',
  '\u0085',
  '\x7f',
  '@/etc/passwd',
  '#',
  '-',
  '--short',
  '!',
  '*',
  '~',
  '{a,b}',
  '[1-9]',
  '&',
  ';',
  '|',
  '<',
  '>',
  '</script>',
  ' ',
  '  ',
  '"""',
  "'''",
  'a',
]

/** The same in each run. */
const hostile = (seed: number): string => {
  let state = seed * 2_654_435_761
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: 3 + Math.floor(next() * 20) }, () => PIECES[Math.floor(next() * PIECES.length)]).join('')
}

const SEEDS = [1, 2, 3, 4, 5]
const oneLine = (value: string): string => value.replace(/[\p{Cc}]/gu, '').trim()

describe.each(CODE_LANGUAGES)('code for %s', (language) => {
  const missing = PROGRAMS[language].needs.filter((program) => !isThere(program))
  const runs = test.skipIf(mayBeMissing && missing.length > 0)

  runs(
    'sends hostile values as they are, signed again with the secret from the environment',
    { timeout: 300_000 },
    async () => {
      expect(missing).toEqual([])
      for (const seed of SEEDS) {
        const value = oneLine(hostile(seed + 100))
        // Java’s client knows headers of ASCII alone.
        const header = language === 'java' ? value.replace(/[^ -~]/g, '').trim() : value
        const wanted: Wanted = {
          body: hostile(seed),
          target: `/fido/rp/x?user_id=${encodeURIComponent(hostile(seed + 200))}&b=%41+%7e&a`,
          headers: [
            ['Content-Type', 'application/json'],
            ['X-Hostile', header],
          ],
          short: seed % 2 === 0,
          identifier: seed === 3 ? 'day/1' : '',
        }
        const code = exchangeCode(exchangeOf(wanted), { language, signers })
        expect(code).not.toContain(SECRET)
        came = undefined
        await run(language, code)
        const sent = came as Came | undefined
        if (sent === undefined) throw new Error('nothing came')
        expect({ seed, body: sent.body.toString() }).toEqual({ seed, body: wanted.body })
        expect(sent.target).toBe(wanted.target)
        expect(Buffer.from(latin1(headerIn(sent, 'x-hostile'))).toString()).toBe(header)
        expectSigned(sent, wanted)
      }
    },
  )

  runs('sends a phone’s call with its token from the environment, and a long body', { timeout: 300_000 }, async () => {
    const { access_key_id: _, scope: __, ...fact } = exchangeOf({ body: `${'long "\\ 李 '.repeat(3000)}` })
    const headers: readonly HeaderPair[] = [
      ['Host', host()],
      ['Authorization', MASK],
      ['Content-Type', 'application/json'],
    ]
    const code = exchangeCode(
      { ...fact, interface: 'app', request: { ...fact.request, headers } },
      { language, signers },
    )
    expect(code).not.toContain(MASK)
    came = undefined
    await run(language, code)
    const sent = came as Came | undefined
    expect(sent && [headerIn(sent, 'authorization'), sent.body.toString()]).toEqual(['Bearer dt-1', fact.request.body])
  })

  runs('sends a GET without a body, and what was signed beyond repair as it was', { timeout: 300_000 }, async () => {
    const fact = exchangeOf({ method: 'GET' })
    const sentAs = '/fido/rp/credentials?user_id=[1-9]{a|b}"%zz'
    const request = {
      ...fact.request,
      target: sentAs,
      headers: [
        ['Host', host()],
        ['Authorization', 'nonsense'],
      ] as readonly HeaderPair[],
    }
    came = undefined
    await run(language, exchangeCode({ ...fact, request }, { language, signers }))
    const sent = came as Came | undefined
    const target = language === 'curl' ? sentAs : '/fido/rp/credentials?user_id=%5B1-9%5D%7Ba%7Cb%7D%22%25zz'
    expect(sent && [sent.method, sent.target, headerIn(sent, 'authorization'), sent.body.length]).toEqual([
      'GET',
      target,
      'nonsense',
      0,
    ])
  })
})

test('no command within a value was carried out', () => {
  expect(execFileSync('ls', [folder], { encoding: 'utf8' })).not.toContain('owned')
})
