import { answer, choice, constant, count, decimal, flag, list, millis, optional, text, type ValueOf } from './schema.ts'

/** Version 1 changes only by adding optional fields. */
export const LOAD_REPORT_VERSION = 1

const ceremony = choice(['register', 'auth'])
const step = choice(
  ['device', 'request', 'push', 'bind', 'answer', 'result'],
  '`device`: a new phone signs in. `request`: the RP begins. `push`: until the phone hears of it. `bind`: the phone takes the message. `answer`: it signs and sends. `result`: the RP reads the result.',
)

const figures = {
  count: count(),
  min_ms: decimal(),
  mean_ms: decimal(),
  p50_ms: decimal(),
  p90_ms: decimal(),
  p95_ms: decimal(),
  p99_ms: decimal(),
  p999_ms: decimal(),
  max_ms: decimal(),
}
const percentiles = (description: string) => optional(answer(figures, { description }))

export const loadReportSchema = answer({
  format: constant('handset-load'),
  version: constant(LOAD_REPORT_VERSION),
  handset: text('The version of Handset.'),
  outcome: choice(
    ['passed', 'failed', 'stopped'],
    '`failed`: a ceremony failed or an arrival was dropped; `stopped`: ended by hand, figures up to then.',
  ),
  target: answer({
    base_url: text(),
    app_url: text(),
    rp_id: text(),
    own: flag('Whether it was a bench of the load’s own.'),
  }),
  asked: answer({
    users: count('Registered before the measurement began.'),
    rate: decimal('Ceremonies for each second.'),
    duration_ms: count(),
    mix: answer('Shares; their sum is 1.', { register: decimal(), auth: decimal() }),
    push: flag('Sign-ins by push instead of by QR code.'),
    arrivals: choice(['poisson', 'fixed']),
    seed: count('`--seed` with this number draws the same arrivals.'),
    connections: count('As many at most towards each of the two interfaces, beside the inboxes.'),
  }),
  began: millis('Real time, milliseconds since 1970 UTC.'),
  took_ms: decimal('From the first arrival that was due to the end of the last ceremony.'),
  prepared: answer('Before the measurement.', { users: count(), took_ms: decimal() }),
  counts: answer({
    arrived: count('As scheduled; each was begun or dropped.'),
    done: count(),
    registered: count('Of those done.'),
    signed_in: count('Of those done.'),
    failed: count('Those that had no end when the load ended among them.'),
    dropped: count('Not begun, since each user was still busy with the ceremony before.'),
  }),
  per_second: decimal('Done, for each second of `took_ms`.'),
  latency: answer({
    all: percentiles('Of all ceremonies that were done, from the scheduled arrival to the result that the RP read.'),
    register: percentiles('Of registrations.'),
    auth: percentiles('Of sign-ins.'),
    late: percentiles('How late the client began what was due: a part of the latency that is not the service’s.'),
  }),
  steps: list(
    answer({ ceremony, step, ...figures }),
    'Each part by itself, from when it was begun, of failed ceremonies too.',
  ),
  failures: list(
    answer({
      ceremony,
      step,
      code: text('The envelope’s code, a word of the phone’s, or the result’s status.'),
      count: count(),
    }),
    'Most frequent first.',
  ),
  timeline: list(
    answer({
      at_ms: count('Since the start; ceremonies count where they arrived.'),
      arrived: count(),
      done: count(),
      failed: count(),
      dropped: count(),
      p50_ms: optional(decimal()),
      p99_ms: optional(decimal()),
      max_ms: optional(decimal()),
    }),
  ),
  curve: list(answer({ share: decimal('0.99: the 99th percentile.'), ms: decimal() })),
  client: answer({
    limit: choice(
      ['none', 'busy', 'late', 'machine'],
      'What made the client slower than it should be. `busy`: it used nearly all of its processor. `late`: it began arrivals late. `machine`: all processors of the machine were in use.',
    ),
    busy: decimal('Share of the time in which its event loop was at work.'),
    processor_ms: decimal('Processor time that the client used.'),
    machine_busy: optional(decimal('Share of all processors of the machine that was in use.')),
    late_p99_ms: optional(decimal()),
  }),
  server: optional(
    answer('Processor time of a bench of the load’s own, where the system tells it.', {
      processor_ms: decimal(),
      per_ceremony_ms: optional(decimal()),
    }),
  ),
})

export type LoadReport = ValueOf<typeof loadReportSchema>
