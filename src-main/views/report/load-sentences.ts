import type { LoadReport } from '../../core/contract/load-report.ts'

/** For both page and terminal. */
export const clientSentence = ({ client, latency }: LoadReport): string => {
  const { limit, busy, machine_busy = 0, late_p99_ms } = client
  const late =
    late_p99_ms === undefined ? '' : ` It began 99 % of the arrivals at most ${milliseconds(late_p99_ms)} late.`
  switch (limit) {
    case 'busy':
      return `The client was the limit: its event loop was busy ${percent(busy)} of the time.${late} Lower --rate, or divide the load among several clients.`
    case 'late':
      return `The client was the limit: it began arrivals up to ${milliseconds(latency.late?.max_ms ?? 0)} late, and that is part of the latencies.${late} Something else may use its processor.`
    case 'machine':
      return `The machine was the limit: ${percent(machine_busy)} of its processors were in use, and client and service may share them. Figures of a service alone need a machine of its own.`
    case 'none':
      return `The client was not the limit: its event loop was busy ${percent(busy)} of the time.${late}`
  }
}

export const droppedSentence = ({ counts: { dropped, arrived }, asked: { users } }: LoadReport): string | undefined =>
  dropped === 0
    ? undefined
    : `${dropped} of ${arrived} arrivals were dropped: all ${users} users were still busy with the sign-in before. The latencies say nothing about them; use more --users, or a lower --rate.`

export const STEP_NAMES = {
  device: 'New phone signs in',
  request: 'RP’s request',
  push: 'Push reaches the phone',
  bind: 'Phone takes the message',
  answer: 'Phone signs and sends',
  result: 'RP reads the result',
} as const satisfies Record<LoadReport['steps'][number]['step'], string>

export const CEREMONY_NAMES = { register: 'Registration', auth: 'Sign-in' } as const

export const milliseconds = (ms: number): string =>
  ms >= 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms >= 100 ? 0 : ms >= 10 ? 1 : 2)} ms`

export const percent = (share: number): string => `${(share * 100).toFixed(share > 0.1 ? 0 : 1)} %`
