import { describe, expect, test } from 'vitest'
import { parseBenchOptions } from '../../src-main/cli/bench-options.ts'
import { readConfig } from '../../src-main/cli/config-file.ts'

describe('--allow-host', () => {
  test('[cli.options] further hosts may be given several times, beside those of the file', () => {
    const parsed = parseBenchOptions({ 'allow-host': ['handset', 'box:8080'] })
    expect(parsed.ok && parsed.value.allowHosts).toEqual(['handset', 'box:8080'])
    expect(readConfig('allow_hosts: [handset]')).toEqual({ ok: true, value: { allow_hosts: ['handset'] } })
  })

  test.each(['http://handset', 'hand set', 'handset/', '*', '*.example', 'handset:99999'])(
    '[cli.options] a further host cannot be %j',
    (name) => {
      expect(parseBenchOptions({ 'allow-host': [name] }).ok).toBe(false)
    },
  )
})
