import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExchangeFact, eventSchemas } from '../../../src-main/core/contract/events.ts'
import { makeSchemaCheck } from '../../../src-main/core/contract/make-check.ts'
import { latin1, utf8, utf8Octets } from '../../../src-main/core/protocol/bytes.ts'
import type { HeaderPair } from '../../../src-main/core/protocol/canonical-request.ts'
import { MASK } from '../../../src-main/core/protocol/log.ts'
import { parseSvcDate } from '../../../src-main/core/protocol/time.ts'
import { signRequest } from '../../../src-main/sdk/sign-request.ts'
import { exchangeCode, type Signers } from '../../../src-main/views/code/exchange-code.ts'
import { CODE_LANGUAGES, type CodeLanguage } from '../../../src-main/views/code/languages.ts'
import { ROOT } from '../../support/imports.ts'
import { isLong, isNightly } from '../../support/parts.ts'
import { spawnTied } from '../../support/spawn-tied.ts'
import { taken } from '../../support/taken.ts'
import { folderOfFile } from '../../support/temporary-folder.ts'

/** Where every language must be there, one that is missing fails. */
const mayBeMissing = process.env.HANDSET_TEST_LANGUAGES !== 'all'
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

type Came = {
  readonly method: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  readonly body: Buffer
}

/** By the case that each request names: whatever its method, no library reads it. */
const came = new Map<number, Came>()
const server = createServer((socket) => {
  let heard: Buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (part) => {
    heard = Buffer.concat([heard, part])
    const end = heard.indexOf('\r\n\r\n')
    if (end < 0) return
    const [first = '', ...lines] = heard.toString('latin1', 0, end).split('\r\n')
    const headers = lines.map((line): HeaderPair => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')]
    })
    const isChunked = headers.some(([name]) => name === 'transfer-encoding')
    const size = isChunked ? 5 : Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0)
    if (heard.length < end + 4 + size) return
    const body = isChunked ? Buffer.alloc(0) : heard.subarray(end + 4, end + 4 + size)
    const [method = '', target = ''] = first.split(' ')
    came.set(Number(headers.find(([name]) => name === 'x-case')?.[1]), { method, target, headers, body })
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
})
beforeAll(() => new Promise<void>((done) => void server.listen(0, '127.0.0.1', done)))
afterAll(() => server.close())
const host = (): string => `localhost:${(server.address() as AddressInfo).port}`

const NASTY = [
  ...String.raw`' " \ \\ \u0041 \u000a \n \x41 $HOME % %s %41 %n # - --short ! !! !1 * ~ {a,b} [1-9] & ; | < >`.split(
    ' ',
  ),
  ...`??/ ??= /* */ // ''' """ </script> @/etc/passwd a 0 = 李伟 🔑 é \ufffd \u200b \u{e0041} \u009b2J`.split(' '),
  ...['$(touch owned)', '`touch owned`', `\${HOME}`, ';touch owned;', '-o x', ' ', '  '],
  ...['\u00a0', '\u2028', '\u2029', '\u202e', '\ufeff', '\u0085'],
]
const CONTROL = ['\n', '\r\n', '\r', '\t', '\0', '\x03', '\x1b[201~', '\x1b]0;owned\x07', '\b', '\x7f', '\n}\nexit\n']
const joined = (pieces: readonly string[], maxLength = 12) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((list) => list.join(''))
const token = fc.oneof(
  fc.constantFrom("P'OST", '$HOME', '`id`', 'A|B', '-o', '!x', '#C', '*', '&', '^', 'a', '%S'),
  fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/),
)
const method = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
  { weight: 1, arbitrary: token.filter((text) => text !== 'CONNECT').map((text) => text.toUpperCase()) },
)
const target = fc
  .oneof(joined(NASTY), fc.stringMatching(/^[!-~]{0,20}$/))
  .map((text) => `/${text.replace(/[^!-~]/g, '')}`)
/** One character for each octet, as recorded. */
const value = fc.oneof(
  joined(NASTY).map((text) => utf8Octets(text).replace(/\x7f/g, '')),
  fc.stringMatching(/^[\t -~\x80-\xff]{0,12}$/),
)
/** Clients write these in their own way. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|user-agent|accept|accept-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|x-case|x-svc-date|authorization|cookie)$/i
const header = fc.tuple(
  fc.oneof(fc.constantFrom('Content-Type', 'X-A', 'x-a', '__proto__'), token).filter((name) => !OWN.test(name)),
  value,
)
const body = fc.oneof(joined([...NASTY, ...CONTROL], 20), fc.string({ unit: 'binary', maxLength: 20 }), fc.constant(''))
const anyCase = fc.record({
  ...{ method, target, body, headers: fc.array(header, { maxLength: 4 }) },
  how: fc.constantFrom('plain', 'token', 'general', 'short'),
  identifier: fc.constantFrom('', 'day/1', "it's $(x)"),
})
type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never

const EXAMPLES: readonly Case[] = [
  { method: 'POST', target: '/x', body: 'long "\\ 李 \u0007'.repeat(3000), headers: [], how: 'token', identifier: '' },
  { method: 'GET', target: '/x?a=[1-9]{a|b}"%zz', body: '', headers: [], how: 'plain', identifier: '' },
]

const checkEvent = makeSchemaCheck(eventSchemas[0] ?? {})
const trimmed = (value: string): string => value.replace(/^[ \t]+|[ \t]+$/g, '')
const textIn = (value: string): string => Buffer.from(latin1(value)).toString()
const isText = ([, value]: HeaderPair): boolean => utf8Octets(textIn(value)) === value

type Made = { readonly one: Case; readonly exchange: ExchangeFact; readonly signed: readonly HeaderPair[] | undefined }

/** As it was recorded a while ago, signed where that can be signed. */
const madeOf = (one: Case, n: number): Made => {
  const { method, target, body, how, identifier } = one
  const all: readonly HeaderPair[] = [['X-Case', String(n)], ...one.headers]
  const texts = one.headers.filter(isText).map(([name, value]): HeaderPair => [name, trimmed(textIn(value))])
  const form = how === 'general' || how === 'short' ? how : undefined
  const key = { accessKeyId: KEY, secretKey: 'another secret', scopeIdentifier: identifier, form: form ?? 'general' }
  const signed = signRequest(
    { method, host: host(), target, body: utf8(body), headers: texts },
    key,
    Date.UTC(2020, 0, 1),
  )
  const isSigned = form !== undefined && signed.ok
  const headers: readonly HeaderPair[] = isSigned
    ? [...signed.value.headers, ...all.slice(0, 1)]
    : [['Host', host()], ...(how === 'token' ? [['Authorization', MASK] as const] : []), ...all]
  const exchange: ExchangeFact = {
    kind: 'exchange',
    interface: how === 'token' ? 'app' : 'rp',
    request: { id: 'req_1', method, target, headers, body, body_bytes: utf8(body).length },
    response: { status: 200, code: 0, headers: [], body: '' },
    ...(isSigned ? { access_key_id: KEY, scope: `fido-server/${utf8Octets(identifier)}` } : {}),
    took_us: 1,
  }
  return { one, exchange, signed: isSigned ? texts : undefined }
}

const made = (count: number, seed: number): readonly Made[] =>
  [...EXAMPLES, ...fc.sample(anyCase, { numRuns: count, seed })].map(madeOf)

const isAscii = ([, value]: HeaderPair): boolean => /^[\t -~]*$/.test(value)

/** By name, in their order; Java’s client knows values of ASCII alone. */
const valuesIn = (
  headers: readonly HeaderPair[],
  language: CodeLanguage,
): Readonly<Record<string, readonly string[]>> => {
  const sent = headers.filter((pair) => !OWN.test(pair[0]) && (language !== 'java' || isAscii(pair)))
  return Object.fromEntries(
    [...new Set(sent.map(([name]) => name.toLowerCase()))]
      .toSorted()
      .map((name) => [
        `:${name}`,
        sent.filter(([each]) => each.toLowerCase() === name).map(([, value]) => trimmed(value)),
      ]),
  )
}

const decoded = (target: string): string =>
  target.replace(/%([0-9a-f]{2})/gi, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16)))

/** Whether exactly what was recorded came, signed anew with the secret of the environment. */
const expectSent = ({ one, exchange, signed }: Made, n: number, language: CodeLanguage): void => {
  const sent = came.get(n)
  const { request } = exchange
  const about = `${language}: ${JSON.stringify(request)}`
  if (sent === undefined) throw new Error(`nothing came for ${about}`)
  const line = language === 'java' ? request.target.replace(/^([^?]*)\?$/, '$1') : request.target
  const target = language === 'curl' ? line.replaceAll('#', '%23') : decoded(line)
  expect(
    {
      ...{ method: sent.method, target: language === 'curl' ? sent.target : decoded(sent.target) },
      ...{ body: sent.body.toString(), headers: valuesIn(sent.headers, language) },
    },
    about,
  ).toEqual({ method: request.method, target, body: request.body, headers: valuesIn(request.headers, language) })
  const sentValue = (wanted: string): string | undefined => sent.headers.find(([name]) => name === wanted)?.[1]
  if (one.how === 'token') expect(sentValue('authorization')).toBe('Bearer dt-1')
  if (signed === undefined) return
  const headers = signed.filter((pair) => language !== 'java' || isAscii(pair))
  const again = taken(
    signRequest(
      { method: sent.method, host: host(), target: sent.target, body: sent.body, headers },
      {
        accessKeyId: KEY,
        secretKey: SECRET,
        scopeIdentifier: one.identifier,
        form: one.how === 'short' ? 'short' : 'general',
      },
      taken(parseSvcDate(sentValue('x-svc-date') ?? '')),
    ),
  )
  expect(sentValue('authorization'), about).toBe(again.headers.find(([name]) => name === 'Authorization')?.[1])
}

type Program = {
  readonly needs: readonly string[]
  readonly count: number
  readonly run: (codes: readonly string[], at: string) => string[]
}

const GO_MAIN = (names: readonly string[]): string =>
  `package main\nimport (\n${names.map((name) => `"calls/${name}"`).join('\n')}\n)\nfunc main() {\n${names.map((name) => `${name}.Run()`).join('\n')}\n}\n`
const written = (file: string, code: string): void => {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, code)
}

/** All of them in one process, each a program of its own for its language. */
const PROGRAMS: Readonly<Record<CodeLanguage, Program>> = {
  curl: {
    needs: ['bash', 'curl', 'openssl'],
    count: isNightly ? 300 : isLong ? 0 : 12,
    run: (codes, at) => {
      for (const [n, code] of codes.entries()) written(join(at, `${String(n).padStart(3, '0')}.sh`), code)
      return ['bash', '-c', 'for each in *.sh; do bash "$each" || exit; done']
    },
  },
  node: {
    needs: [],
    count: isNightly ? 1000 : isLong ? 0 : 40,
    run: (codes, at) => {
      for (const [n, code] of codes.entries()) written(join(at, `${n}.mjs`), code)
      written(join(at, 'all.mjs'), codes.map((_, n) => `await import('./${n}.mjs')\n`).join(''))
      return [process.execPath, 'all.mjs']
    },
  },
  python: {
    needs: ['python3'],
    count: isNightly ? 1000 : isLong ? 0 : 40,
    run: (codes, at) => {
      for (const [n, code] of codes.entries()) written(join(at, `${n}.py`), code)
      const all = `for n in range(${codes.length}):\n    exec(compile(open(f"{n}.py", "rb").read(), f"{n}.py", "exec"), {})\n`
      written(join(at, 'all.py'), all)
      return ['python3', 'all.py']
    },
  },
  java: {
    needs: ['java', 'javac'],
    count: isNightly ? 150 : isLong ? 15 : 0,
    run: (codes, at) => {
      for (const [n, code] of codes.entries()) written(join(at, `c${n}/Call.java`), `package c${n};\n${code}`)
      const calls = codes.map((_, n) => `c${n}.Call.main(args);`).join('\n')
      written(
        join(at, 'All.java'),
        `class All {\npublic static void main(String[] args) throws Exception {\n${calls}\n}\n}\n`,
      )
      return ['sh', '-c', 'javac All.java && java -XX:TieredStopAtLevel=1 All']
    },
  },
  go: {
    needs: ['go'],
    count: isNightly ? 300 : isLong ? 30 : 0,
    run: (codes, at) => {
      for (const [n, code] of codes.entries()) {
        const named = code.replace(/^package main$/m, `package c${n}`).replace(/^func main\(\)/m, 'func Run()')
        written(join(at, `c${n}/call.go`), named)
      }
      written(join(at, 'go.mod'), 'module calls\n')
      written(join(at, 'main.go'), GO_MAIN(codes.map((_, n) => `c${n}`)))
      return ['go', 'run', '.']
    },
  },
}

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

const run = async (at: string, [program = '', ...args]: readonly string[]): Promise<string> => {
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, GOCACHE: join(folder, 'go'), LC_ALL: 'C.UTF-8', SECRET_KEY: SECRET, DEVICE_TOKEN: 'dt-1' }
  const child = spawnTied(program, args, { cwd: at, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr?.on('data', (part) => {
    errors += part
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return code === 0 ? '' : `${code}: ${errors.slice(-2000)}`
}

const shown: Made[] = []
beforeAll(() => void shown.push(...made(isNightly ? 5000 : 100, 2)))

test.each(CODE_LANGUAGES)('what is copied for %s shows all that it says, and its comments are of ASCII', (language) => {
  for (const { exchange } of shown) {
    expect(
      checkEvent({ ...exchange, v: 1, seq: 1, workspace: 'w', actor: { kind: 'rp' }, wall: 1, bench: 1 }),
    ).toBeUndefined()
    const code = exchangeCode(exchange, { language, signers })
    expect(code).not.toMatch(/[^\n\t\P{C}]|[\p{Zl}\p{Zp}]/u)
    const comments = code.split('\n').filter((line) => /^\s*(\/\/|#)/.test(line) && !signers[language].includes(line))
    expect(comments.filter((line) => !/^\t*[ -[\]-~]*$/.test(line))).toEqual([])
    expect(code).not.toContain(SECRET)
  }
})

describe.each(CODE_LANGUAGES.filter((each) => PROGRAMS[each].count > 0))('code for %s', (language) => {
  const { needs, count, run: prepare } = PROGRAMS[language]
  const missing = needs.filter((program) => !isThere(program))

  test.skipIf(mayBeMissing && missing.length > 0)(
    'sends whatever a trace may hold, octet by octet, and carries out nothing of it',
    { timeout: 900_000 },
    async () => {
      expect(missing).toEqual([])
      came.clear()
      const all = made(count, 1)
      const at = join(folder, language)
      mkdirSync(at)
      const command = prepare(
        all.map(({ exchange }) => exchangeCode(exchange, { language, signers })),
        at,
      )
      expect(await run(at, command)).toBe('')
      for (const [n, each] of all.entries()) expectSent(each, n, language)
      expect(readdirSync(at).filter((name) => name.includes('owned'))).toEqual([])
    },
  )
})

test('a Host that names no host is not called', () => {
  const [{ exchange } = madeOf(EXAMPLES[0] as Case, 0)] = made(0, 1)
  const request = { ...exchange.request, headers: [['Host', 'evil.example/$(touch owned)?']] as const }
  for (const language of CODE_LANGUAGES) {
    expect(exchangeCode({ ...exchange, request }, { language, signers })).not.toContain('evil.example')
  }
})
