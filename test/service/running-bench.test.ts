import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { announceBench, readRunningBench } from '../../src-main/service/store/announce-bench.ts'
import { startTestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const RUNNING = { pid: 7, control_url: 'http://localhost:1/control/v1', token: 't' }

test('a bench with a data directory says there where it answers, for its owner alone, until it is closed', async () => {
  const data = temporaryFolder()
  const { bench, close } = await startTestBench({ data })
  expect(readRunningBench(data)).toEqual({
    ok: true,
    value: { pid: process.pid, control_url: bench.controlUrl, token: bench.token },
  })
  if (process.platform !== 'win32') expect(statSync(join(data, 'running.json')).mode & 0o777).toBe(0o600)
  await close()
  expect(readRunningBench(data)).toEqual({ ok: true, value: undefined })
})

test('a file that is in the way is replaced', () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'running.json'), 'old')
  writeFileSync(join(data, 'running.json.new'), 'old')
  const withdraw = announceBench(data, RUNNING)
  expect(readRunningBench(data)).toEqual({ ok: true, value: RUNNING })
  withdraw()
  expect(readdirSync(data)).toEqual([])
})

// Windows lets only few make a link to a file.
test.skipIf(process.platform === 'win32')('a link that is in the way is replaced, never followed', () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'other'), 'kept')
  symlinkSync('other', join(data, 'running.json'))
  symlinkSync('other', join(data, 'running.json.new'))
  const withdraw = announceBench(data, RUNNING)
  expect(readRunningBench(data)).toEqual({ ok: true, value: RUNNING })
  expect(statSync(join(data, 'other')).size).toBe(4)
  withdraw()
  expect(readdirSync(data)).toEqual(['other'])
})

test.each(['', '{', '[]', 'null', '{"pid":1}', '{"pid":"1","control_url":"","token":""}'])(
  'a damaged file, %j, is refused and named',
  (text) => {
    const data = temporaryFolder()
    writeFileSync(join(data, 'running.json'), text)
    const params = { file: join(data, 'running.json') }
    expect(readRunningBench(data)).toEqual({ ok: false, error: { code: 'bench_file_damaged', params } })
  },
)
