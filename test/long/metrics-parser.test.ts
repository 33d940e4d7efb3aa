import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cast, register, startTestBench } from '../support/bench.ts'

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3'
/** The parser that Prometheus' own client for Python has: Debian's python3-prometheus-client. */
const PARSER = 'from prometheus_client.parser import text_string_to_metric_families as families'
const missing = spawnSync(PYTHON, ['-c', PARSER]).status !== 0

const PROGRAM = `${PARSER}
import json, sys
print(json.dumps({f.name: [f.type, len(f.samples)] for f in families(sys.stdin.read())}))`

test.skipIf(missing)('Prometheus’ own parser reads the metrics of a bench that has done something', async () => {
  const bench = await startTestBench()
  try {
    await register(bench.client, await cast(bench.client))
    const url = `${new URL(bench.bench.baseUrl).origin}/metrics`
    const response = await fetch(url, { headers: { authorization: `Bearer ${bench.bench.token}` } })
    const read = JSON.parse(execFileSync(PYTHON, ['-c', PROGRAM], { input: await response.text(), encoding: 'utf8' }))
    expect(read).toMatchObject({
      handset_requests: ['counter', expect.any(Number)],
      handset_request_seconds: ['histogram', expect.any(Number)],
      handset_messages: ['counter', 3],
      handset_verdicts: ['counter', 1],
      process_resident_memory_bytes: ['gauge', 1],
    })
  } finally {
    await bench.close()
  }
})
