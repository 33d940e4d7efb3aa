import type { RequestListener, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { BrowserAction } from '../../../src-main/core/contract/scenario/own-rp-steps.ts'
import { createCookies } from '../../../src-main/testing/calls/cookies.ts'
import { createOutput } from '../../../src-main/testing/scenario/own-rp/programs.ts'
import { checkReadiness } from '../../../src-main/testing/scenario/own-rp/readiness.ts'
import type { ScenarioState } from '../../../src-main/testing/scenario/scenario-state.ts'
import { runBrowserAction } from '../../../src-main/testing/scenario/words/browser-word.ts'
import { leftOver } from '../../support/left-over.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { parseOne } from '../../support/parse-one.ts'
import { playScenario } from '../../support/play-scenario.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'

const bench = benchOfFile()

const play = (...steps: readonly string[]) =>
  playScenario(
    bench.client,
    parseOne(`name: x\nphones: { a: {} }\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`),
  )

const SOON = 'timeout: { ms: 200 }'

const [GZIP, NOWHERE] = [{ 'content-encoding': 'gzip' }, { location: 'http://[' }]
const PACKED = gzipSync(Buffer.alloc(64 << 20))
const sendForEver = (response: ServerResponse): void => {
  while (response.write(Buffer.alloc(1 << 20)));
  response.once('drain', () => sendForEver(response))
}

it.each<readonly [string, RequestListener, string]>([
  ['never answers', () => undefined, 'too_slow'],
  ['answers a byte at a time', (_, response) => void setInterval(() => response.write('x'), 20).unref(), 'too_slow'],
  ['resets the connection', (request) => void request.socket.resetAndDestroy(), 'unreachable'],
  [
    'breaks off',
    (_, response) => void response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    'unreachable',
  ],
  ['sends gigabytes', (_, response) => sendForEver(response), 'too_large'],
  ['sends gigabytes packed', (_, response) => void response.writeHead(200, GZIP).end(PACKED), 'too_large'],
  ['redirects nowhere', (_, response) => void response.writeHead(302, NOWHERE).end(), 'not_an_address'],
  ['redirects for ever', (_, response) => void response.writeHead(302, { location: '/' }).end(), 'too_many_redirects'],
])('an RP that %s fails the step in bounded time and room', async (_title, listener, code) => {
  const url = await serveBriefly(listener)
  const timeout = code === 'too_slow' ? SOON : 'timeout: { s: 20 }'
  const { ok, last } = await play(`http: { url: "${url}", redirects: 3, ${timeout} }`)
  expect({ ok, code: last?.problem?.code }).toEqual({ ok: false, code })
})

it('redirects are shown, not followed, unless the step asks for it', async () => {
  const url = await serveBriefly(({ url: path, method }, response) => {
    if (path === '/a') response.writeHead(303, { location: '/b' }).end()
    else response.end(`${method} ${path}`)
  })
  const { ok, last } = await play(
    `{ http: { url: "${url}/a", body: x }, answer: { status: 303, headers: { location: /b } } }`,
    `{ http: { url: "${url}/a", body: x, redirects: 1 }, answer: { status: 200, text: GET /b } }`,
  )
  expect({ ok, last }).toMatchObject({ ok: true })
})

it('cookies are kept as a browser keeps them', async () => {
  const SET: Readonly<Record<string, string>> = {
    ...{ '/in': 'a=1; Path=/x', '/out': 'a=; Path=/x; Max-Age=0', '/foreign': 'b=1; Domain=other.example' },
    ...{ '/yesterday': `a=2; Path=/x; Expires=${new Date(0).toUTCString()}`, '/empty': 'a=3; Path=/x; Max-Age=' },
    ...{ '/host': '__Host-c=1; Path=/', '/secure': '__Secure-c=1; Path=/x' },
  }
  const url = await serveBriefly(({ url: path = '', headers }, response) => {
    const set = SET[path]
    response.writeHead(200, set === undefined ? {} : { 'set-cookie': set }).end(headers.cookie ?? 'none')
  })
  const at = (path: string, text: string) => `{ http: { url: "${url}${path}" }, answer: { text: ${text} } }`
  const { ok, last } = await play(
    ...[at('/in', 'none'), at('/x/y', 'a=1'), at('/xy', 'none'), at('/foreign', 'none'), at('/x', 'a=1')],
    ...[at('/host', 'none'), at('/secure', 'none'), at('/empty', 'none'), at('/x', 'a=3')],
    ...[at('/yesterday', 'none'), at('/x', 'none'), at('/in', 'none'), at('/out', 'none'), at('/x', 'none')],
  )
  expect({ ok, last }).toMatchObject({ ok: true })
  const cookies = createCookies()
  cookies.keep(new URL('http://shop.co.uk/'), ['a=1; Domain=co.uk', 'b=1; Domain=shop.co.uk'])
  expect(cookies.headerFor(new URL('http://www.shop.co.uk/'))).toBe('b=1')
})

it('a call is repeated until the answer is as expected, and no longer', async () => {
  let calls = 0
  const url = await serveBriefly((_, response) => void response.end(JSON.stringify({ calls: ++calls })))
  const { ok } = await play(
    `{ http: { url: "${url}", until: { s: 20 } }, answer: { json: { calls: { at_least: 3 } } } }`,
  )
  expect({ ok, calls }).toEqual({ ok: true, calls: 3 })
  const failed = await play(`{ http: { url: "${url}", until: { ms: 150 } }, answer: { json: { calls: 0 } } }`)
  expect(failed.last?.problem).toMatchObject({ code: 'differs', params: { at: '/json/calls', within_ms: 150 } })
})

it('a free port is none that the system hands out by itself: it is still free when a program takes it', async () => {
  const below = `{ check: { value: '\${port}', is: { at_least: 20000, at_most: 31999 } } }`
  const { ok, last } = await play(...Array.from({ length: 5 }, () => ['free_port: { as: port }', below]).flat())
  expect({ ok, last }).toMatchObject({ ok: true })
})

it('what a call sends and what is saved of its answer', async () => {
  const url = await serveBriefly((request, response) => {
    request.setEncoding('utf8').once('data', (text) => {
      response
        .writeHead(200, { 'x-token': 'abc 42' })
        .end(JSON.stringify({ type: request.headers['content-type'], text }))
    })
  })
  const { ok, last } = await play(
    `{ http: { url: "${url}", json: { a: [1] } }, answer: { json: { type: application/json, text: '{"a":[1]}' } }, save: { n: { from: /headers/x-token, matches: '(\\d+)' } } }`,
    `{ http: { url: "${url}", form: { a: 'b c', n: '\${n}' } }, answer: { json: { type: application/x-www-form-urlencoded, text: 'a=b+c&n=42' } } }`,
    `{ http: { url: "${url}", body: x, headers: { Content-Type: text/plain }, method: PUT }, answer: { json: { type: text/plain } } }`,
  )
  expect({ ok, last }).toMatchObject({ ok: true })
})

it.each([
  ['/json/b', 'nothing_at'],
  ['{ from: /text, matches: z }', 'nothing_matches'],
])('a value that is not there cannot be saved: %s', async (source, code) => {
  const url = await serveBriefly((_, response) => void response.end('{"a":1}'))
  const { last } = await play(`{ http: { url: "${url}" }, save: { x: ${source} } }`)
  expect(last?.problem?.code).toBe(code)
})

const posix = it.skipIf(process.platform === 'win32')

it.skipIf(process.platform !== 'linux').each([
  ['that ignores SIGTERM', 'trap "" TERM; echo up; while :; do sleep 1; done'],
  ['with children in the background', 'sleep 600 & sleep 600 & echo up; wait'],
  ['with a child that left its group', 'setsid sleep 600 & echo up; wait'],
  ['that ends before its child does', 'setsid sleep 600 > /dev/null 2>&1 & echo up'],
])('a program %s is gone when the scenario is over', async (_title, script) => {
  const mark = `${process.pid}-${script.length}`
  const args = JSON.stringify(['-c', script])
  const { reports } = await play(
    `exec: { program: sh, args: ${args}, env: { LEFT_OVER: '${mark}' }, ready: { line: up } }`,
    'check: { value: 1, is: 2 }',
  )
  expect(reports.map(({ word }) => word)).toEqual(['exec', 'check'])
  expect(leftOver(mark)).toEqual([])
})

posix.each([
  ['cannot be found', 'program: no-such-program', 'no_program'],
  [
    'ends at once',
    String.raw`program: sh, args: [-c, "printf '\\033]0;title\\007\\033[31mwhy\\033[0m\\r\\nso' >&2; exit 3"], ready: { line: up }`,
    'program_ended',
  ],
  ['never gets ready', 'program: sleep, args: ["60"], ready: { port: 9 }, until: { ms: 100 }', 'program_not_ready'],
  ['is outside the folder', 'program: sh, cwd: ../..', 'outside_folder'],
  ['should run in a folder that is not there', 'program: sh, cwd: nowhere', 'no_folder'],
])('a program that %s fails the step', async (_title, input, code) => {
  const { last } = await play(`exec: { ${input} }`)
  expect(last?.problem?.code).toBe(code)
  if (code === 'program_ended')
    expect(last?.problem).toMatchObject({ params: { output: 'why\nso', ended: { exit_code: 3 } } })
})

posix.each<readonly [string, (port: number) => string]>([
  ['port', (port) => `{ port: ${port} }`],
  ['url', (port) => `{ url: "http://127.0.0.1:${port}" }`],
])('another program that is ready at the %s of the one to start is not taken for it', async (_title, ready) => {
  const { port } = new URL(await serveBriefly((_, response) => void response.end()))
  const { last } = await play(`exec: { program: sh, args: [-c, "exit 1"], ready: ${ready(Number(port))} }`)
  expect(last?.problem?.code).toBe('address_taken')
})

it.each<readonly [string, RequestListener, unknown]>([
  ['never answers', () => undefined, 'silence'],
  ['answers with what is no HTTP', ({ socket }) => void socket.end('rubbish\r\n\r\n'), 'no_http'],
  ['cuts the connection', ({ socket }) => void socket.resetAndDestroy(), 'nothing'],
  ['answers with errors', (_, response) => void response.writeHead(503).end(), 503],
])('an RP that %s is not ready, and it is told what was seen', async (_title, listener, seen) => {
  const url = await serveBriefly(listener)
  const program = { output: createOutput(), ended: () => undefined }
  const look = { stop: new AbortController().signal, left: seen === 'silence' ? 50 : 60_000 }
  expect(await checkReadiness({ url }, program, look)).toEqual({ ready: false, seen })
})

posix('a line that came before the step before does not satisfy an expectation of output', async () => {
  const start = 'exec: { program: sh, args: [-c, "echo up; sleep 60"], ready: { line: up } }'
  expect((await play(start, 'expect_output: { line: up, until: { ms: 50 } }')).ok).toBe(true)
  const { last } = await play(start, 'advance: { ms: 1 }', 'expect_output: { line: up, until: { ms: 50 } }')
  expect(last?.problem?.code).toBe('no_line')
})

posix('a secret that a step hands to a program is masked in the report', async () => {
  const { reports } = await play(
    `exec: { program: sh, args: [-c, 'echo \${rp.secret_key}; exit 1'], ready: { line: x } }`,
  )
  const text = JSON.stringify(reports)
  expect(text).toContain('•••')
  const { rps } = await bench.client.call('rps.list')
  const rp = rps[0]?.id ?? ''
  const { keys } = await bench.client.call('keys.list', { params: { rp } })
  expect(keys.length).toBeGreaterThan(0)
})

it('a step in a browser without Playwright says so', async () => {
  const scenario = { ...parseOne('name: x\nsteps:\n  - browser: { open: "http://127.0.0.1:1/" }'), folder: '/' }
  const { last } = await playScenario(bench.client, scenario)
  expect(last?.problem).toEqual({ code: 'no_playwright', params: { folder: '/' } })
})

it('a wrong text or address of a page ends a step after 10 s, what is to be pressed after 30 s', async () => {
  let ms = 0
  const page = {
    url: () => 'http://shop.example/',
    locator: () => ({ innerText: async () => 'Welcome' }),
    getByRole: () => ({
      click: async ({ timeout }: { timeout: number }) => {
        ms += timeout
        throw new Error('Timeout')
      },
    }),
  }
  const state = {
    own: { browsing: { opened: () => page } },
    micros: () => ms * 1000,
    pause: async (n: number) => (ms += n),
  }
  const waited = async (action: BrowserAction) => {
    const from = ms
    expect(await runBrowserAction(action, state as unknown as ScenarioState)).toMatchObject({ ok: false })
    return ms - from
  }
  expect(await waited({ expect: 'Hello' })).toBe(10_000)
  expect(await waited({ expect_url: 'http://shop.example/hello' })).toBe(10_000)
  expect(await waited({ expect: 'Hello', until: { s: 60 } })).toBe(60_000)
  expect(await waited({ press: 'Sign in' })).toBe(30_000)
})
