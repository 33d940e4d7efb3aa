import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import * as state from '../../src-main/shell/shell-state.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const goodState = (): state.ShellState => ({
  window: { bounds: { x: -1200, y: 40, width: 1000, height: 800 }, maximised: true },
  keepRunning: true,
  theme: 'dark',
})

let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})

const stateIn = (text: string): state.ShellState => {
  const file = join(folder, 'shell.json')
  writeFileSync(file, text)
  return state.openShellState(file).get()
}

it.each(['', 'no JSON', 'null', '[]', '{"v":2,"keep_running":true}', '7'])(
  'what the shell keeps is as on the first day when it reads %s',
  (text) => {
    expect(stateIn(text)).toEqual(state.INITIAL_STATE)
  },
)

it.each([{ width: 0 }, { height: -1 }, { x: 0.5 }, { y: '40' }, { x: 1e9 }, { width: null }])(
  'what the shell keeps forgets a window of %j and keeps the rest',
  (change) => {
    const window = { maximised: true, bounds: { x: 0, y: 0, width: 800, height: 600, ...change } }
    expect(stateIn(JSON.stringify({ v: 1, keep_running: true, window }))).toEqual({
      keepRunning: true,
      theme: 'system',
    })
  },
)

it('what the shell keeps lets the program end with its window, but not on macOS and not when told otherwise', () => {
  expect(state.quitsWithWindow(state.INITIAL_STATE, 'linux')).toBe(true)
  expect(state.quitsWithWindow(state.INITIAL_STATE, 'win32')).toBe(true)
  expect(state.quitsWithWindow(state.INITIAL_STATE, 'darwin')).toBe(false)
  expect(state.quitsWithWindow(goodState(), 'linux')).toBe(false)
})

it('the file it is kept in holds a change for the next start, beside what was there', () => {
  const file = join(folder, 'below', 'shell.json')
  state.openShellState(file).change({ keepRunning: true })
  const next = state.openShellState(file)
  next.change({ window: { bounds: { x: 1, y: 2, width: 700, height: 650 }, maximised: false } })
  expect(state.openShellState(file).get()).toEqual({
    ...state.INITIAL_STATE,
    keepRunning: true,
    window: { bounds: { x: 1, y: 2, width: 700, height: 650 }, maximised: false },
  })
  expect(existsSync(`${file}.new`)).toBe(false)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ v: 1 })
})

it('the file it is kept in may be missing, or impossible to write', () => {
  const file = join(folder, 'shell.json')
  expect(state.openShellState(file).get()).toEqual(state.INITIAL_STATE)
  writeFileSync(file, '')
  const kept = state.openShellState(join(file, 'no-folder', 'shell.json'))
  kept.change({ keepRunning: true })
  expect(kept.get().keepRunning).toBe(true)
})

it('the data directories used before are the last five, the newest first, each once', () => {
  const recent = state.keepRecentFolders(join(folder, 'desktop', 'recent.json'))
  for (const used of ['/a', '/b', '/c', '/a', '/d', '/e', '/f']) recent.use(used)
  expect(recent.list()).toEqual(['/f', '/e', '/d', '/a', '/c'])
  recent.forget('/d')
  expect(recent.list()).toEqual(['/f', '/e', '/a', '/c'])
})

it('the data directories used before are shared by programs that run at the same time', () => {
  const file = join(folder, 'recent.json')
  const [one, other] = [state.keepRecentFolders(file), state.keepRecentFolders(file)]
  one.use('/one')
  other.use('/other')
  expect(one.list()).toEqual(['/other', '/one'])
})

it.each(['', '[]', '{"v":2,"folders":["/a"]}', '{"v":1,"folders":"/a"}', '{"v":1,"folders":[7,"relative",null]}'])(
  'the data directories used before are none when the file reads %s',
  (text) => {
    const file = join(folder, 'recent.json')
    writeFileSync(file, text)
    expect(state.keepRecentFolders(file).list()).toEqual([])
  },
)

it('the data directories used before are forgotten where nothing can be written', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const recent = state.keepRecentFolders(join(file, 'recent.json'))
  recent.use('/a')
  expect(recent.list()).toEqual([])
})
