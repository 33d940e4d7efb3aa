import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createRecorder } from '../../src-main/harness/recorder.ts'
import { followTraces } from '../../src-main/harness/trace-files.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { readTrace } from '../../src-main/trace/read-trace.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const setting = (path = folder, bytes = 1024 * 1024) => {
  let due: (() => void) | undefined
  const log: LogLine[] = []
  const real = {
    now: () => 1_000_000,
    at: (_: number, work: () => void) => {
      due = work
      return () => {
        due = undefined
      }
    },
  }
  const recorder = createRecorder({ wall: real, bench: () => real })
  const follower = followTraces({
    ...{ path, bytes, version: '1', real, recorder },
    log: (line) => void log.push(line),
  })
  const say = (workspace: string, text: string) =>
    recorder.observe(workspace, {
      ...{ kind: 'setting', subject: 'rp', change: 'changed', detail: { text } },
      actor: { kind: 'control' },
    })
  const step = () => {
    const work = due
    due = undefined
    work?.()
  }
  return { recorder, follower, log, say, step }
}

const open = async (name: string, path = join(folder, name)) => {
  const trace = await readTrace(new Blob([readFileSync(path)]).stream())
  if (!trace.ok) throw new Error(trace.error.code)
  return trace.value
}

test('each workspace has a file, which opens while the bench runs and has the events in their order', async () => {
  const { say, step } = setting()
  for (let i = 0; i < 700; i++) say('main', `m${i}`)
  say('other', 'o')
  while (readdirSync(folder).length < 2) step()
  step()
  const main = await open('main.handset')
  expect(main.header).toMatchObject({ live: true, workspace: 'main', title: '' })
  expect(main.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 700 }, (_, i) => i + 1))
  expect((await open('other.handset')).events).toHaveLength(1)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'main.handset')).mode & 0o077).toBe(0)
})

test('nothing is written within the call that records, and the last events of a workspace come before it is closed', async () => {
  const { recorder, say } = setting()
  say('w', 'last')
  expect(readdirSync(folder)).toEqual([])
  recorder.forget('w')
  expect((await open('w.handset')).events).toHaveLength(1)
})

test('a file of the workspace main leaves the others out, and keeps the one of the start before', async () => {
  const path = join(folder, 'a.handset')
  const first = setting(path)
  first.say('main', 'first')
  first.say('other', 'x')
  first.follower.close()
  const second = setting(path)
  second.say('main', 'second')
  second.follower.close()
  expect(readdirSync(folder).sort()).toEqual(['a.before.handset', 'a.handset'])
  expect(JSON.stringify((await open('a.before.handset')).events)).toContain('first')
  expect(JSON.stringify((await open('a.handset')).events)).toContain('second')
})

test('all files together stay below the limit; the latest events are kept', async () => {
  const limit = 64 * 1024
  const { say, follower } = setting(folder, limit)
  for (let i = 0; i < 600; i++) {
    say(`w${i % 3}`, `${i}`.padEnd(900))
    follower.flush()
    if (i % 50 > 0) continue
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit)
  }
  expect((await open('w2.handset')).events.at(-1)).toMatchObject({ seq: 200 })
})

test('a file that is removed or moved while the bench runs is begun again, and opens', async () => {
  const { say, follower } = setting()
  say('main', 'before')
  follower.flush()
  rmSync(join(folder, 'main.handset'))
  say('main', 'after')
  follower.flush()
  const { events } = await open('main.handset')
  expect(events.map((event) => JSON.stringify(event).includes('after'))).toEqual([true])
})

test('a folder that can no longer be written ends the writing with one line in the log, and not the bench', () => {
  const { say, follower, log } = setting(join(folder, 'gone'))
  for (const text of ['a', 'b']) {
    say('main', text)
    follower.flush()
  }
  expect(log).toMatchObject([{ level: 'error', event: 'traces not written' }])
})
