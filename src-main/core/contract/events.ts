import type { TObject, TProperties, TSchema } from 'typebox'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { MESSAGE_STATES } from '../protocol/message-state.ts'
import type { Millis } from '../protocol/time.ts'
import { phoneState, storage } from './control/phone-state.ts'
import { errors } from './errors.ts'
import { type SecondOpinion, verdictFields } from './judge/verdict.ts'
import { resendOrigin } from './resending.ts'
import { RP_CARES, RP_DOUBTS, RP_VERDICTS } from './rp-care.ts'
import * as t from './schema.ts'

/**
 * Every recorded fact is an event, and every view is drawn from events alone. Version 1 changes only by adding new
 * kinds and new optional fields.
 */
export const EVENT_VERSION = 1

/** The range of a JavaScript date. */
const moment = (description?: string) => t.decimal(description, { minimum: -8.64e15, maximum: 8.64e15 })

/** RFC 9110 section 5.6.2. Headers in a trace are copied into commands and returned by a replay. */
const TOKEN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
const FIELD_VALUE = '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$'
const headersOf = (value: TSchema) => {
  const pair = t.list(t.text(), { prefixItems: [t.text(undefined, { pattern: TOKEN }), value], minItems: 2 })
  return t.typed<readonly HeaderPair[]>(t.list(pair))
}
const headers = headersOf(t.text())
const headersSent = headersOf(t.text(undefined, { pattern: FIELD_VALUE }))
const ceremony = t.choice(['registration', 'authentication'])
const state = t.choice(MESSAGE_STATES)

const kind = <P extends TProperties>(sentence: string, fields: P) => ({ sentence, fields })

export const eventKinds = {
  exchange: kind('One request of an RP or a phone and its response.', {
    interface: t.choice(['rp', 'app']),
    request: t.answer({
      id: t.text(),
      method: t.text(undefined, { pattern: TOKEN }),
      target: t.text('Path and query as on the request line.', { pattern: '^/[!-~]*$' }),
      route: t.optional(
        t.text('The route’s pattern, such as `/app/messages/{msg_id}/bind`; absent when none matched.'),
      ),
      headers: t.described(headersSent, 'Bearer tokens are masked; a signature is not a secret and stays.'),
      body: t.text('As text; secrets in it are masked.'),
      body_bytes: t.count(),
    }),
    response: t.answer({
      status: t.whole(undefined, { minimum: 100, maximum: 999 }),
      code: t.count(),
      headers,
      body: t.text(),
    }),
    ...t.allOptional({
      rp_id: t.text(),
      access_key_id: t.text(),
      device_id: t.text(),
      msg_id: t.text(),
      conditions: t.answer('What the simulated conditions did to it.', {
        latency_ms: t.optional(t.count('Its answer came so much later.')),
        failed: t.optional(t.count('It was refused with this code.')),
        lost: t.optional(t.constant(true, 'It was carried out, and its answer lost.')),
      }),
      faults: t.list(
        t.answer({ id: t.text(), fault: t.text(), parameters: t.optional(t.dictionary()) }),
        'The armed faults of the service that struck the response.',
      ),
      honest: t.answer('What the service would have answered without them.', { status: t.count(), body: t.text() }),
      scope: t.text('The credential scope of an accepted signature, also where the header names none.'),
    }),
    took_us: t.decimal('Real time.', { maximum: 8.64e15 }),
    ...t.allOptional({
      traceparent: t.text(
        'The trace of W3C Trace Context that the client says the request belongs to; absent where its form is wrong.',
      ),
      answered_by: t.choice(
        ['target', 'recording'],
        'Of `handset proxy`: who gave the answer; absent where it did so itself, as where its target is not there.',
      ),
      asked_by: t.text('Of calls of the RP simulator: who asked for them, as they call themselves.'),
      resent: resendOrigin,
    }),
  }),
  message: kind('A message begins or changes its state, `from` one `to` another.', {
    msg_id: t.text(),
    ceremony,
    from: t.optional(state),
    to: state,
    rp_id: t.text(),
    user_id: t.text(),
    username: t.text(),
    method: t.optional(t.choice(['qrcode', 'push'])),
    device_id: t.optional(t.text()),
    svc_user: t.optional(t.text()),
    error: t.optional(t.text('Why it failed: a machine word, or what the phone gave as its reason.')),
    credential_id: t.optional(t.text()),
    url: t.text(),
    expires_at: t.millis(),
  }),
  delivery: kind('An RP read a final result for the first time.', { msg_id: t.text(), state }),
  decision: kind(
    'What the RP simulator made of an answer that is not in order. Without `msg_id` it refused to begin a request.',
    {
      rp_id: t.text(),
      msg_id: t.optional(t.text()),
      care: t.choice(RP_CARES),
      made: t.choice(RP_VERDICTS, '`broke`: it cannot go on.'),
      account: t.optional(t.text('Whose account it shows since.')),
      doubt: t.optional(t.choice(RP_DOUBTS, 'Why it refused.')),
      named: t.optional(t.text('Whom the answer names instead of the user that was asked for.')),
    },
  ),
  push: kind('A push waits for a phone or was sent to it.', {
    msg_id: t.text(),
    device_id: t.text(),
    stage: t.choice(['queued', 'sent']),
  }),
  verdict: kind(
    'The judge has examined an answer, step by step. A match finds `second_opinion` only under the profile’s `must-agree`.',
    { msg_id: t.text(), ceremony, ...verdictFields },
  ),
  credential: kind('A credential was registered, used, deleted or restored.', {
    change: t.choice(['registered', 'used', 'deleted', 'restored']),
    rp_id: t.text(),
    user_id: t.text(),
    credential_id: t.text(),
  }),
  device: kind('A device signed in or out, or its inbox connected or disconnected.', {
    change: t.choice(['signed_in', 'signed_out', 'connected', 'disconnected']),
    device_id: t.text(),
    account: t.text(),
    new_account: t.optional(t.constant(true, 'The account was made by this.')),
  }),
  phone: kind('A virtual phone shows or does something; `phone` is its state afterwards.', {
    change: t.choice(['created', 'changed', 'removed', 'scanned', 'pushed', 'asked', 'answered', 'problem']),
    phone_id: t.text(),
    ...t.allOptional({
      text: t.text('The RP that asks or that sent the push.'),
      word: t.text('Why something could not be done.'),
      act: t.answer('What it was made to do about a message, by its person or by its behaviour.', {
        msg_id: t.text(),
        did: t.choice(['scan', 'open', 'approve', 'reject', 'decline']),
        ...t.allOptional({
          storage,
          waits: t.constant(
            true,
            'A fault holds it back until the workspace’s clock has come further; then it is told again.',
          ),
          refused: t.answer('Why it came to nothing.', {
            word: t.text(),
            code: t.optional(t.count('Where it was the service that refused.')),
          }),
        }),
      }),
      struck: t.answer('The armed faults that strike the attempt with this message.', {
        msg_id: t.text(),
        stage: t.optional(t.choice(['push', 'message'])),
        faults: t.list(t.text()),
        parameters: t.optional(t.dictionary('By fault: what whoever armed it chose otherwise than the table.')),
      }),
      signal: t.answer('A signal that the phone did not obey.', {
        name: t.choice(['currentUserDetails', 'unknownCredential', 'allAcceptedCredentials']),
        outcome: t.choice(
          ['ignored', 'another_rp', 'another_account', 'not_held'],
          'Ignored by a fault; or refused, since it names a passkey of another RP or account, or none of this phone.',
        ),
        faults: t.list(t.text(), 'The armed faults that struck it.'),
      }),
      phone: phoneState,
    }),
  }),
  clock: kind('The workspace’s clock was moved.', {
    change: t.choice(['frozen', 'running', 'set', 'advanced']),
    now: moment(),
    frozen: t.flag(),
    speed: t.decimal(),
    real: t.optional(t.constant(true, 'It shows real time again.')),
  }),
  setting: kind('A person or a script changed a setting.', {
    subject: t.choice([
      'rp',
      'access_key',
      'root',
      'profile',
      'conditions',
      'snapshot',
      'fault',
      'user',
      'lease',
      'token',
      'workspace',
    ]),
    change: t.text(),
    id: t.optional(t.text()),
    detail: t.optional(t.dictionary('Never a secret.')),
  }),
  workspace: kind('The workspace as a whole changed.', {
    change: t.choice(['opened', 'reset', 'restored', 'closed']),
    snapshot: t.optional(t.text('To which it was restored.')),
  }),
}

export type EventKind = keyof typeof eventKinds

export const EVENT_KINDS = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

export const eventHead = {
  v: t.constant(EVENT_VERSION),
  seq: t.count('Counts from 1 within its workspace; a gap is left only where a bench was killed.'),
  workspace: t.text(),
  actor: t.answer({
    kind: t.choice(['rp', 'phone', 'service', 'control', 'clock']),
    id: t.optional(t.text('The RP’s, device’s or phone’s id, where there is one.')),
  }),
  cause: t.optional(t.text('The request in which this happened.')),
  wall: moment('Real time, milliseconds since 1970. Differs from run to run.'),
  bench: moment('The workspace’s time, milliseconds since 1970.'),
}

type Head = t.ValueOf<TObject<typeof eventHead>>

type Facts = { [K in EventKind]: { readonly kind: K } & t.ValueOf<TObject<(typeof eventKinds)[K]['fields']>> }

export type ExchangeFact = Facts['exchange']
export type MessageFact = Facts['message']
export type CredentialFact = Facts['credential']
export type DecisionFact = Facts['decision']
export type PhoneFact = Facts['phone']
export type ClockFact = Facts['clock']
export type SettingFact = Facts['setting']

export type Fact = Facts[EventKind]
export type Actor = Head['actor']
export type BenchEvent = Head & Fact
export type EventOf<K extends EventKind> = Extract<BenchEvent, { readonly kind: K }>
/** The timeline shows each stage of a message as a row. */
export type StageEvent = Extract<BenchEvent, { readonly msg_id: string; readonly stage: string }>
export type EventDraft = Pick<Head, 'actor' | 'cause'> & Fact

export const eventSchemas = EVENT_KINDS.map((kind) => {
  const { sentence, fields } = eventKinds[kind]
  return t.answer({ ...eventHead, kind: t.constant(kind), ...fields } as TProperties, { description: sentence })
})

export const recordedEvent = t.typed<BenchEvent>(t.either(...eventSchemas))

/** The name of a second opinion in an event stream. */
export const OPINION_EVENT = 'second_opinion'

/** Not an event and not numbered: its time of arrival varies, and runs of one seed must have the same events. */
export type OpinionNotice = { readonly msg_id: string; readonly second_opinion: SecondOpinion }

/** Records an event; never fails and never waits. `at`: its time, if it happened in another process. */
export type Observe = (workspace: string, draft: EventDraft, at?: EventTime) => void

export type EventTime = { readonly wall: Millis; readonly bench: Millis }

export const isSignatureMismatch = (event: BenchEvent | undefined): boolean =>
  event?.kind === 'exchange' && event.response.code === errors.signature_mismatch.code
