import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  createDropScript,
  looksLikeTracePath,
  readTraceFile,
  resolveTracePath,
} from '../../src-main/shell/trace-file.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()

const { platform } = process
const at = (name: string): string => join(folder, name)

test('a plain file of this computer is read, with its name for display', () => {
  writeFileSync(at('Ä b.HANDSET'), 'abc')
  const read = readTraceFile(at('Ä b.HANDSET'), platform)
  expect(read).toEqual({ ok: true, value: { name: 'Ä b.HANDSET', bytes: Buffer.from('abc') } })
})

test.skipIf(platform === 'win32')('a link, a folder and a pipe are refused, and nothing waits for one', () => {
  writeFileSync(at('there.handset'), 'abc')
  symlinkSync(at('there.handset'), at('link.handset'))
  mkdirSync(at('folder.handset'))
  execFileSync('mkfifo', [at('pipe.handset')])
  for (const name of ['link', 'folder', 'pipe']) {
    expect(readTraceFile(at(`${name}.handset`), platform)).toMatchObject({ error: { code: 'file_not_plain' } })
  }
  expect(readTraceFile(at('none.handset'), platform)).toMatchObject({
    error: { code: 'file_unreadable', params: { reason: 'ENOENT' } },
  })
})

test('what is larger than a trace is refused unread', () => {
  writeFileSync(at('large.handset'), '')
  truncateSync(at('large.handset'), 101)
  expect(readTraceFile(at('large.handset'), platform, 100)).toMatchObject({
    error: { code: 'file_too_large', params: { bytes: 101, largest: 100 } },
  })
  expect(readTraceFile(at('large.handset'), platform, 101)).toMatchObject({ ok: true })
})

test.each([
  ['win32', '\\\\server\\share\\a.handset'],
  ['win32', '\\\\.\\pipe\\a.handset'],
  ['win32', '\\\\?\\C:\\a.handset'],
  ['win32', '//server/a.handset'],
  ['win32', 'C:\\a.txt:b.handset'],
  ['win32', 'a.handset'],
  ['linux', '//server/a.handset'],
  ['linux', 'a.handset'],
  ['linux', '/a\0.handset'],
  ['linux', '/etc/hostname'],
  ['linux', 'https://a.example/a.handset'],
])('on %s %j is elsewhere, or no trace', (system, path) => {
  expect(readTraceFile(path, system)).toMatchObject({ error: { code: 'file_elsewhere' } })
})

test.each([
  ['linux', '/home/a', 'b.handset', '/home/a/b.handset'],
  ['linux', '/home/a', '/c/b.handset', '/c/b.handset'],
  ['linux', '/home/a', 'file:///c/%C3%84%20b.handset', '/c/Ä b.handset'],
  ['linux', '/home/a', 'file://server/b.handset', 'file://server/b.handset'],
  ['linux', '/home/a', 'file:///c%2Fb.handset', 'file:///c%2Fb.handset'],
  ['win32', 'C:\\a', 'b.handset', 'C:\\a\\b.handset'],
  ['win32', 'C:\\a', 'D:\\b.handset', 'D:\\b.handset'],
])('on %s from %s %s is %s', (system, from, text, path) => {
  expect(resolveTracePath(text, { folder: from, platform: system })).toBe(path)
})

test('an option is no file, whatever it ends with', () => {
  expect(looksLikeTracePath('--config=a.handset')).toBe(false)
  expect(looksLikeTracePath('a.Handset')).toBe(true)
})

test('the page gets name and bytes as they are, until it takes them', async () => {
  const drops: File[] = []
  let refusals = 2
  const name = ['"</script>\u2028`', '{x}.handset'].join('$')
  const bytes = new Uint8Array([0, 127, 128, 255])
  const taken = runInNewContext(createDropScript({ name, path: '/offered/it' }), {
    File,
    fetch: async (path: string) => (path === '/offered/it' ? new Response(bytes) : Response.error()),
    setTimeout: (done: () => void) => done(),
    DataTransfer: class {
      readonly items: File[] & { add?: (file: File) => void } = Object.assign([], {
        add: (file: File) => void drops.push(file),
      })
    },
    DragEvent: class {},
    // False: somebody has prevented it.
    dispatchEvent: () => refusals-- > 0,
  })
  expect(await taken).toBe(true)
  expect(drops.map((file) => file.name)).toEqual([name])
  expect(new Uint8Array((await drops[0]?.arrayBuffer()) ?? [])).toEqual(bytes)
})
