import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseTraceOptions } from '../../src-main/cli/trace-options.ts'

const named = (option: string): string => `--${option}`

test.skipIf(process.platform !== 'linux')('a folder that can take no folder for traces is refused, and soon', () => {
  expect(parseTraceOptions({ trace: '/proc/nope/traces' }, named)).toMatchObject({ ok: false })
})

test('a limit of nothing is refused, and one of 1 MiB taken', () => {
  expect(parseTraceOptions({ 'trace-limit': '0' }, named).ok).toBe(false)
  expect(parseTraceOptions({ trace: join(tmpdir(), 'x.handset'), 'trace-limit': '1' }, named)).toEqual({
    ok: true,
    value: { traces: { path: join(tmpdir(), 'x.handset'), bytes: 1024 * 1024 } },
  })
})
