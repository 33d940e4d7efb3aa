import type { LoadReport } from '../../../src-main/core/contract/load-report.ts'

const figures = (count: number, ms: number) => ({
  ...{ count, min_ms: ms / 4, mean_ms: ms, p50_ms: ms, p90_ms: ms * 2, p95_ms: ms * 3 },
  ...{ p99_ms: ms * 8, p999_ms: ms * 20, max_ms: ms * 21 },
})

/** A load in which something of everything happened. */
export const sampleLoadReport: LoadReport = {
  format: 'handset-load',
  version: 1,
  handset: '1.2.3',
  outcome: 'failed',
  target: {
    base_url: 'http://localhost:7420/<b>',
    app_url: 'http://localhost:7420/app',
    rp_id: 'localhost',
    own: true,
  },
  asked: {
    ...{ users: 50, rate: 20, duration_ms: 60_000, mix: { register: 0.1, auth: 0.9 }, push: true },
    ...{ arrivals: 'poisson', seed: 42, connections: 256 },
  },
  began: Date.UTC(2030, 0, 1),
  took_ms: 60_512,
  prepared: { users: 50, took_ms: 900 },
  counts: { arrived: 1200, done: 1180, registered: 120, signed_in: 1060, failed: 8, dropped: 12 },
  per_second: 19.5,
  latency: { all: figures(1180, 24), register: figures(120, 30), auth: figures(1060, 23), late: figures(1188, 0.4) },
  steps: (['request', 'push', 'bind', 'answer', 'result'] as const).map((step, i) => ({
    ...{ ceremony: 'auth' as const, step },
    ...figures(1060, 3 + i),
  })),
  failures: [{ ceremony: 'auth', step: 'bind', code: '50301', count: 8 }],
  timeline: Array.from({ length: 60 }, (_, i) => ({
    ...{ at_ms: i * 1000, arrived: 20, done: i === 30 ? 0 : 20, failed: i === 30 ? 8 : 0, dropped: i === 30 ? 12 : 0 },
    ...(i === 30 ? {} : { p50_ms: 20 + (i % 5), p99_ms: 60 + (i % 7), max_ms: 70 + (i % 11) }),
  })),
  curve: [0, 0.5, 0.9, 0.99, 0.999, 1].map((share, i) => ({ share, ms: 6 + i * 90 })),
  client: { limit: 'none', busy: 0.21, processor_ms: 12_700, machine_busy: 0.4, late_p99_ms: 3.2 },
  server: { processor_ms: 2100, per_ceremony_ms: 1.78 },
}
