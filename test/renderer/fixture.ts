import type { BenchEvent, Fact } from '../../src-main/core/contract/events.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { newTimeline } from '../../src-main/views/timeline/timeline.ts'

type Draft = { readonly cause?: string; readonly actor?: BenchEvent['actor'] } & Fact

const START = Date.UTC(2026, 10, 20, 14, 32, 0)

/** Numbers the drafts and puts them `at` so many milliseconds after the start, as the recorder would. */
export const record = (drafts: readonly (readonly [at: number, draft: Draft])[]): readonly BenchEvent[] =>
  drafts.map(([at, draft], i) => ({
    v: 1,
    seq: i + 1,
    workspace: 'main',
    wall: START + at,
    bench: START + at,
    actor: draft.actor ?? { kind: 'service' },
    ...draft,
  })) as readonly BenchEvent[]

/** What a page makes of these events. */
export const timelineOf = (events: readonly BenchEvent[]) => events.reduce(foldTimeline, newTimeline())

type Call = {
  readonly id: string
  readonly line: string
  readonly body?: string
  readonly answer?: unknown
  readonly code?: number
  readonly status?: number
  readonly device?: string
  readonly msgId?: string
  readonly route?: string
  readonly askedBy?: string
}

/** One call as the service records it. */
export const call = ({ id, line, body = '', answer = {}, code = 0, status = 200, ...rest }: Call): Draft => {
  const [method = 'GET', target = '/'] = line.split(' ')
  const path = target.split('?')[0] ?? ''
  return {
    kind: 'exchange',
    interface: target.includes('/rp/') ? 'rp' : 'app',
    actor: target.includes('/rp/') ? { kind: 'rp', id: 'rp_demo' } : { kind: 'phone', id: 'dev_alice' },
    request: {
      id,
      method,
      target,
      route: rest.route ?? path,
      headers: [
        ['Host', 'localhost:7420'],
        ['Content-Type', 'application/json'],
        ['X-Svc-Date', '20261120T143200Z'],
        [
          'Authorization',
          'SVC-HMAC-SHA256 AK7QPM2X4D9TLE/fido-server/,content-type;host;x-svc-date,40327da5334e23aa8640545ff811a0ba89ab2749612619237cd865dadf64f396',
        ],
      ],
      body,
      body_bytes: body.length,
    },
    response: {
      status,
      code,
      headers: [['Content-Type', 'application/json; charset=utf-8']],
      body: JSON.stringify({ code, data: answer, error: code === 0 ? '' : 'Refused.' }),
    },
    took_us: 3800,
    ...(target.includes('/rp/') ? { rp_id: 'rp_demo', access_key_id: 'AK7QPM2X4D9TLE' } : {}),
    ...(rest.device === undefined ? {} : { device_id: rest.device }),
    ...(rest.msgId === undefined ? {} : { msg_id: rest.msgId }),
    ...(rest.askedBy === undefined ? {} : { asked_by: rest.askedBy }),
  }
}

/** A call of Alice's phone about a message. */
export const phoneCall = (id: string, msgId: string, verb: string): Draft =>
  call({
    id,
    line: `POST /app/messages/${msgId}/${verb}`,
    route: `/app/messages/{msg_id}/${verb}`,
    device: 'dev_alice',
  })

type State = 'init' | 'bind' | 'success' | 'fail' | 'timeout'

type Move = {
  readonly msgId: string
  readonly to: State
  readonly from?: State
  readonly cause?: string
  readonly ceremony?: 'registration' | 'authentication'
  readonly method?: 'qrcode' | 'push'
  readonly error?: string
  readonly user?: string
}

const KIND = { registration: 'r', authentication: 'a' } as const

export const move = ({
  msgId,
  to,
  from,
  cause,
  ceremony = 'authentication',
  method,
  error,
  user = 'alice',
}: Move): Draft => ({
  kind: 'message',
  msg_id: msgId,
  ceremony,
  rp_id: 'rp_demo',
  user_id: user,
  username: user,
  to,
  url: `http://localhost:7420/fido/m#${KIND[ceremony]}${msgId}`,
  expires_at: START + 180_000,
  ...(cause === undefined ? { actor: { kind: 'clock' as const } } : { cause }),
  ...(from === undefined ? {} : { from }),
  ...(method === undefined ? {} : { method }),
  ...(error === undefined ? {} : { error }),
  ...(to === 'init' || to === 'timeout' ? {} : { svc_user: 'Alice (138****5678)', device_id: 'dev_alice' }),
})

const REG = 'AAAAAAAAAAAAAAAAAAAAAA'

/** A registration by QR code from its start to the delivered result, with polls around every step. */
export const registration = (): readonly (readonly [number, Draft])[] => [
  [0, move({ msgId: REG, to: 'init', cause: 'req_1', ceremony: 'registration' })],
  [4, call({ id: 'req_1', line: 'POST /fido/rp/attestation/options', body: '{"user_id":"alice","username":"alice"}' })],
  [412, call({ id: 'req_2', line: `GET /fido/rp/attestation/result?msg_id=${REG}`, answer: { status: 'init' } })],
  [912, call({ id: 'req_3', line: `GET /fido/rp/attestation/result?msg_id=${REG}`, answer: { status: 'init' } })],
  [2118, move({ msgId: REG, from: 'init', to: 'bind', cause: 'req_4', ceremony: 'registration' })],
  [2118, phoneCall('req_4', REG, 'bind')],
  [2503, call({ id: 'req_5', line: `GET /fido/rp/attestation/result?msg_id=${REG}`, answer: { status: 'bind' } })],
  [
    5870,
    {
      kind: 'verdict',
      cause: 'req_6',
      msg_id: REG,
      ceremony: 'registration',
      accepted: true,
      steps: [{ id: '7.1.7', outcome: 'passed' }],
      second_opinion: { heard: true, accepts: true },
    },
  ],
  [5874, move({ msgId: REG, from: 'bind', to: 'success', cause: 'req_6', ceremony: 'registration' })],
  [5874, phoneCall('req_6', REG, 'attestation')],
  [6208, { kind: 'delivery', cause: 'req_7', msg_id: REG, state: 'success' }],
  [6208, call({ id: 'req_7', line: `GET /fido/rp/attestation/result?msg_id=${REG}`, answer: { status: 'success' } })],
]
