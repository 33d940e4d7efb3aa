import { expect, it } from 'vitest'
import { differencesOf, eventStreams } from '../support/event-streams.ts'
import { freePort } from '../support/free-port.ts'
import { playShipped, shipped } from '../support/shipped-runs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('two runs with one seed, one of them shuffled and in parallel, have the same events in each workspace', async () => {
  // The same address for both: it stands in what is signed.
  const port = String(await freePort())
  const play = async (...way: readonly string[]) => {
    const out = temporaryFolder()
    const more = [...way, '--seed', '7', '--port', port, '--trace', 'on']
    expect((await playShipped(shipped.repeatable, { out, more })).report.outcome).toBe('passed')
    return eventStreams(out)
  }
  const [one, other] = [await play(), await play('--shuffle', '--parallel', '4')]
  expect(one.size).toBeGreaterThan(90)
  expect(differencesOf(one, other)).toEqual([])
})
