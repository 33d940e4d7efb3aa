import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { differencesOf, eventStreams } from '../support/event-streams.ts'
import { freePort } from '../support/free-port.ts'
import { playShipped, shipped } from '../support/shipped-runs.ts'

it('two runs with one seed, one of them shuffled and in parallel, have the same events in each workspace', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-repeat-'))
  try {
    // The same address for both: it stands in what is signed.
    const port = String(await freePort())
    const play = async (name: string, way: readonly string[]) => {
      const out = join(folder, name)
      const more = [...way, '--seed', '7', '--port', port, '--trace', 'on']
      expect((await playShipped(shipped.repeatable, { out, more })).report.outcome).toBe('passed')
      return eventStreams(out)
    }
    const [one, other] = [await play('one', []), await play('other', ['--shuffle', '--parallel', '4'])]
    expect(one.size).toBeGreaterThan(90)
    expect(differencesOf(one, other)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
