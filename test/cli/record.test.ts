import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ALICE } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { parseOne } from '../support/parse-one.ts'
import { beginCommand } from '../support/run-command.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const bench = benchOfFile()

const begin = (args: readonly string[], stop = new AbortController().signal) =>
  beginCommand(['record', ...args], bench.bench, { root: folder, stop })

const register = async () => {
  const { rps } = await bench.client.call('rps.list')
  const rp = rps[0]?.id ?? ''
  await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
}

test('it records from now until an event comes, and writes the file whole', async () => {
  const file = join(folder, 'until.yaml')
  const { ended, errors, out } = begin(['--out', file, '--until', '{ kind: message, to: init }', '--name', 'Mine'])
  await expect.poll(() => errors.length).toBe(1)
  expect(existsSync(file)).toBe(false)
  await register()
  expect(await ended).toBe(0)
  expect(out).toHaveLength(1)
  const { name, steps } = parseOne(readFileSync(file, 'utf8'))
  expect(name).toBe('Mine')
  expect(steps.at(-1)?.word).toBe('register')
})

test('Ctrl-C ends the recording, and what happened until then is in the file', async () => {
  const stop = new AbortController()
  const file = join(folder, 'by-hand.yaml')
  const { ended, errors } = begin(['--out', file], stop.signal)
  await expect.poll(() => errors.length).toBe(1)
  await register()
  stop.abort()
  expect(await ended).toBe(0)
  expect(parseOne(readFileSync(file, 'utf8')).steps.map(({ word }) => word)).toContain('register')
})

test('what already happened is printed where no file is named', async () => {
  await register()
  const { ended, out, errors } = begin(['--from', 'start', '--until', 'now'])
  expect({ code: await ended, errors }).toEqual({ code: 0, errors: [] })
  expect(parseOne(out.join('\n')).steps.at(-1)?.word).toBe('register')
})

test.each([
  ['a beginning that is none', ['--from', 'yesterday'], 2],
  ['an end that is none', ['--until', 'soon'], 2],
  ['an end that is no event', ['--until', '[]'], 2],
  ['a file as a word of its own', ['out.yaml'], 2],
  ['an event that cannot come', ['--until', '{ kind: nothing }'], 2],
  ['a workspace that is not there', ['--workspace', 'nowhere', '--until', 'now'], 1],
  ['a file where none can be', ['--out', '/nowhere/at/all.yaml', '--until', 'now'], 1],
])('%s is one line', async (_what, args, code) => {
  const { ended, errors, out } = begin(args)
  expect({ code: await ended, out }).toEqual({ code, out: [] })
  expect(errors.at(-1)).toMatch(/^handset record: .+$/)
})

test('a file that cannot be replaced keeps what it holds', async () => {
  const file = join(folder, 'kept.yaml')
  writeFileSync(file, 'mine')
  expect(await begin(['--workspace', 'nowhere', '--out', file, '--until', 'now']).ended).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('mine')
})
