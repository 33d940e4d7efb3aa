import { expect, test } from 'vitest'
import { createApi } from '../../src-renderer/api.ts'
import { createBenchStore } from '../../src-renderer/bench/bench-store.ts'
import { cast, register, startTestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { tracedIn } from '../support/traced-in.ts'

/** A page that opens now and reads all there is. */
const openPage = async ({ bench, client }: Awaited<ReturnType<typeof startTestBench>>) => {
  const store = createBenchStore(createApi({ controlUrl: bench.controlUrl, token: bench.token }), () => 0)
  const { last_seq } = await client.call('overview')
  const stop = store.start()
  await new Promise<void>((resolve) => {
    const look = (): void => {
      const { connection, lastSeq, timeline } = store.getState()
      if (connection === 'live' && lastSeq >= last_seq && timeline.groups.length > 0) resolve()
    }
    store.subscribe(look)
    look()
  })
  const groups = [...store.getState().timeline.groups]
  const first = store.lookUp(
    groups
      .find(({ message }) => message !== undefined)
      ?.rows.get(0)
      ?.seqs.get(0) ?? 0,
  )
  stop()
  return { rows: groups.flatMap(({ id, rows }) => [...rows].map(({ seqs }) => [id, ...seqs])), first }
}

test('[events.kept] a page that opens after a restart shows what happened before it', async () => {
  const data = temporaryFolder()
  const first = await startTestBench({ data })
  await register(first.client, await cast(first.client))
  const before = await openPage(first)
  expect(before.first).toMatchObject({ kind: 'exchange' })
  await first.close()
  const second = await startTestBench({ data })
  try {
    const after = await openPage(second)
    expect(after.rows.slice(0, before.rows.length)).toEqual(before.rows)
    expect(after.first).toEqual(before.first)
    const { html } = await second.client.call('events.report')
    expect(tracedIn(html)).toContain('/fido/rp/attestation/options')
    const { scenario } = await second.client.call('events.scenario')
    expect(scenario).toContain('register')
    const { handset } = await second.client.call('events.trace')
    expect(Buffer.from(handset, 'base64').length).toBeGreaterThan(1000)
  } finally {
    await second.close()
  }
})
