import { expect, it, onTestFinished } from 'vitest'
import { err, ok } from '../../src-main/core/protocol/result.ts'
import { toHandOver } from '../../src-main/shell/invocation.ts'
import type { Command } from '../../src-main/shell/menu.ts'
import { type ShellParts, startShell } from '../../src-main/shell/start-shell.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { ALICE, cast, startTestBench, type TestBench } from '../support/bench.ts'
import { encodePng } from '../support/camera/encode-png.ts'

/** Electron's part, which writes down in which order it was asked for what. */
const desk = async (change: Partial<ShellParts> = {}) => {
  const test = await startTestBench()
  onTestFinished(test.close)
  const done: string[] = []
  const notices: { title: string; body: string }[] = []
  const badges: number[] = []
  const heard: {
    handOver?: (data: unknown) => void
    link?: (text: string) => void
    file?: (path: string) => void
    close?: () => Promise<void>
  } = {}
  let run: (command: Command) => void = () => undefined
  const note = (what: string): boolean => done.push(what) > 0
  const parts: ShellParts = {
    args: [],
    claim: () => note('claim'),
    onHandOver: (listener) => {
      note('listen')
      heard.handOver = listener
    },
    onLink: (listener) => Object.assign(heard, { link: listener }),
    onFile: (listener) => Object.assign(heard, { file: listener }),
    readTrace: (path) =>
      path === '/there.handset'
        ? ok({ name: 'there.handset', bytes: new Uint8Array([1, 2]) })
        : err({ code: 'file_not_plain', params: { path } }),
    showTrace: async ({ name }) => note(`trace ${name}`),
    ready: async () => void note('ready'),
    startBench: async () => {
      note('bench')
      return ok(test.bench)
    },
    onQuit: (close) => Object.assign(heard, { close }),
    lockDown: (uiUrl) => note(`lock ${uiUrl === test.bench.uiUrl}`),
    offer: (listener) => {
      note('menu')
      run = listener
    },
    showWindow: (address) => note(`window ${address().startsWith(`${test.bench.uiUrl}#code=`)}`),
    showPage: (address) => note(`page ${address().replace(/code=.+/, 'code')}`),
    onActivate: () => note('activate'),
    isWatched: () => false,
    notify: ({ title, body }) => {
      notices.push({ title, body })
      note('notice')
    },
    capture: async () => ok([]),
    openInBrowser: (address) => note(`browser ${address.includes('#code=')}`),
    badge: (count) => void badges.push(count),
    keepRunning: () => note('keepRunning'),
    setTheme: (theme) => note(`theme ${theme}`),
    showLogs: () => note('logs'),
    findFolder: (folder) => {
      note(`find ${folder}`)
      return folder === '/there'
    },
    quit: () => note('quit'),
    startAgain: (args) => note(`again ${args.join(' ')}`),
    say: (text) => note(`say ${text}`),
    giveUp: (problem) => note(`give up: ${problem}`),
    ...change,
  }
  const until = (what: string, times = 1) =>
    expect.poll(() => done.filter((each) => each === what).length).toBeGreaterThanOrEqual(times)
  const start = (): Promise<void> => {
    const running = startShell(parts)
    onTestFinished(async () => {
      await heard.close?.()
      await running
    })
    return running
  }
  return { test, done, notices, heard, until, start, parts, run: (command: Command) => run(command) }
}

const registration = async ({ client }: TestBench): Promise<string> => {
  const { rp } = await cast(client)
  return (await client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })).url
}

const linkTo = (url: string): string => `handset:scan?url=${encodeURIComponent(url)}`

it('the start claims and listens before it waits for anything: Electron is not ready earlier', async () => {
  const { done, start } = await desk()
  void start()
  expect(done).toEqual(['claim', 'listen', 'ready'])
})

it('the start opens nothing when it is ended while the bench starts, and still closes the bench', async () => {
  const started = Promise.withResolvers<void>()
  let closed = 0
  const { test, done, heard, start } = await desk({
    startBench: async () => {
      await started.promise
      return ok({ ...test.bench, close: async () => void closed++ })
    },
  })
  const running = start()
  await Promise.resolve()
  const closing = heard.close?.()
  started.resolve()
  await closing
  await running
  expect(closed).toBe(1)
  expect(done).toEqual(['claim', 'listen', 'ready'])
})

it('a trace is opened after the one before it, when several are opened together', async () => {
  const { start, until, heard, done } = await desk()
  void start()
  heard.handOver?.(toHandOver(['/there.handset', '/link.handset', '/there.handset']))
  await until('trace there.handset', 2)
  const seen = done.filter((each) => /^(trace|notice)/.test(each))
  expect(seen).toEqual(['trace there.handset', 'notice', 'trace there.handset'])
})

it('a trace that is refused, or that the page does not take, is told with its reason', async () => {
  const { start, until, heard, notices } = await desk({ showTrace: async () => false })
  void start()
  heard.file?.('/link.handset')
  heard.file?.('/there.handset')
  await until('notice', 2)
  expect(notices.map(({ title }) => title)).toEqual(Array(2).fill('This file was not opened'))
})

it('a trace is at an address of the bench while the page takes it', async () => {
  const taken: Response[] = []
  const { test, start, until, heard } = await desk({
    showTrace: async ({ path }) => {
      taken.push(await fetch(new URL(path, test.bench.uiUrl)))
      return false
    },
  })
  void start()
  heard.file?.('/there.handset')
  await until('notice')
  expect(taken.map(({ status }) => status)).toEqual([200])
  expect((await fetch(taken[0]?.url ?? '')).status).toBe(404)
})

it.each(['with which the program is started', 'that comes before the bench'])(
  'a link %s is followed after it',
  async (which) => {
    const { test, start, until, notices, heard, done, parts } = await desk()
    const url = await registration(test)
    const isFirst = which.startsWith('with')
    if (isFirst) Object.assign(parts, { args: [linkTo(url)] })
    void start()
    if (!isFirst) heard.link?.(linkTo(url))
    expect(done).not.toContain('window true')
    await until('notice')
    expect(notices).toEqual([{ title: 'Scanning a code', body: 'Alice’s phone has read the code.' }])
    expect((await test.client.call('phones.list')).phones[0]?.screen.kind).toBe('request')
  },
)

it('a link of the page opens its place with a session of its own, when it comes first and when the window is there', async () => {
  const { test, start, until, heard, done, parts } = await desk()
  const { origin } = new URL(test.bench.uiUrl)
  Object.assign(parts, { args: [`${origin}/w/main/e/7`] })
  void start()
  await until(`page ${origin}/w/main/e/7#code`)
  heard.handOver?.(toHandOver([`${origin}/w/other/console/profile?q=a`]))
  await until(`page ${origin}/w/other/console/profile?q=a#code`)
  heard.link?.(`handset:open?url=${encodeURIComponent(`${origin}/present`)}`)
  await until(`page ${origin}/present#code`)
  expect(done.filter((each) => each === 'notice')).toEqual([])
})

it('a link of the page of another bench is refused, and names both', async () => {
  const { test, start, until, heard, notices, done } = await desk()
  void start()
  await until('window true')
  heard.handOver?.(toHandOver(['http://localhost:1/w/main/e/7']))
  await until('notice')
  expect(notices[0]?.body).toContain('http://localhost:1')
  expect(notices[0]?.body).toContain(new URL(test.bench.uiUrl).origin)
  expect(done.filter((each) => each.startsWith('page'))).toEqual([])
})

it('a second instance leaves a link that cannot be followed to the first, which refuses it', async () => {
  const args = ['handset:show', '--memory']
  const second = await desk({ args, claim: () => false })
  await second.start()
  expect(second.done).toEqual([expect.stringMatching(/^say /), 'quit'])
  const { heard, start, until, notices } = await desk()
  void start()
  await until('window true')
  heard.handOver?.(toHandOver(args))
  await until('notice')
  expect(notices).toHaveLength(1)
  const alone = await desk({ args })
  await alone.start()
  expect(alone.done).toEqual(['claim', expect.stringMatching(/^give up: /)])
})

it('a second instance without a link only brings the window to the front', async () => {
  const { start, until, heard, notices } = await desk()
  void start()
  await until('window true')
  heard.handOver?.(toHandOver(['--memory']))
  await until('window true', 2)
  expect(notices).toEqual([])
})

it('a command scans the screen, one scan at a time', async () => {
  let captures = 0
  const { test, start, until, run, notices, parts } = await desk()
  const url = await registration(test)
  const data = Buffer.from(encodePng(qrPicture(url))).toString('base64')
  Object.assign(parts, {
    capture: async () => {
      captures += 1
      return ok([{ type: 'png', data }])
    },
  })
  void start()
  await until('window true')
  run('scan')
  run('scan')
  await until('notice')
  expect(captures).toBe(1)
  expect(notices).toEqual([{ title: 'Scanning the screen', body: 'Alice’s phone has read the code.' }])
})

it('a command that breaks is told and ends nothing', async () => {
  const { start, until, run } = await desk({
    capture: async () => {
      throw new Error('broken')
    },
  })
  void start()
  await until('window true')
  run('scan')
  await until('say Error: broken')
  run('scan')
  await until('say Error: broken', 2)
  run('browser')
  await until('browser true')
})
