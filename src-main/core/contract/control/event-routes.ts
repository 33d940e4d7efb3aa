import { EVENT_KINDS, recordedEvent } from '../events.ts'
import * as t from '../schema.ts'
import { type ControlRoutes, get, post } from './route.ts'

/** With a longer failure, an address that also has a long title of emoji would become too long. */
export const REPORT_FAILURE_MAX = 500

export const signatureExplanation = t.answer({
  outcome: t.choice(
    ['explained', 'unexplained', 'holds'],
    '`holds`: it verifies now, so a key or the profile has changed since.',
  ),
  mistakes: t.list(
    t.answer({
      id: t.text('A stable word.'),
      sentence: t.text(),
      note: t.optional(t.text('The other key’s ID, or the scope’s identifier, where it is one.')),
    }),
  ),
  ...t.allOptional({
    difference: t.answer('The first line that differs. Absent when the texts agree and only the key is another.', {
      in: t.choice(['canonical_request', 'string_to_sign', 'body']),
      line: t.count('From 1.'),
      name: t.text(
        'Of the line: method, path, query, a header’s name, signed, payload; algorithm, date, scope, request.',
      ),
      signed: t.optional(t.text('What the client signed there; absent when it has no such line.')),
      computed: t.optional(t.text('What the service computed there; absent when it has no such line.')),
    }),
    access_key_id: t.text('The key with which it was explained, or that the request names.'),
    identifier: t.text('Of the short form, which does not say it: the scope’s identifier with which it was explained.'),
    signed_well: t.count(
      'Of `unexplained`: the exchange in which the same client has just signed well, with this key and its present secret. The body was changed after it was signed, or another process of the client has another secret.',
    ),
  }),
  tried: t.count('How many ways of signing were tried.'),
})

const filters = {
  after: t.count('Only events after this number.'),
  kind: t.text('One kind or several, joined by commas.', {
    pattern: `^(${EVENT_KINDS.join('|')})(,(${EVENT_KINDS.join('|')}))*$`,
  }),
  msg_id: t.text(),
  device_id: t.text(),
  rp_id: t.text(),
  phone_id: t.text(),
  cause: t.text(),
}

const reported = {
  title: t.shortText('What it is about, such as the name of a test.'),
  failure: t.text('What a test said when it failed: it stands at the head.', { maxLength: REPORT_FAILURE_MAX }),
  after: t.count('Only events after this number.'),
  phone_id: t.text('Only what has to do with this phone and its users.'),
}

export const eventRoutes = {
  'events.list': get('/events', 'The events that are kept, oldest first.', {
    query: t.partial({
      ...filters,
      limit: t.whole('1000 when absent.', { minimum: 1, maximum: 10_000 }),
      latest: t.flag('The latest ones instead of the first ones after `after`.'),
      brief: t.flag(
        'Without headers, bodies, the steps of verdicts and the states of phones: enough to list what happened.',
      ),
    }),
    data: t.answer({
      events: t.list(recordedEvent),
      first_seq: t.count('The oldest event that is still kept; 0 when there is none.'),
      last_seq: t.count('The latest event.'),
      more: t.flag('Whether the limit, or 32 MiB of events, left some out: go on after the last seq.'),
    }),
    large: true,
  }),
  'events.ceremonies': get(
    '/ceremonies',
    'The events of the ceremonies that began before `before`, each to its end, without their long parts; the newest come first, page by page. Calls outside of ceremonies come in groups.',
    {
      query: t.partial({
        before: t.count('Only what began before this event; everything when absent.'),
        limit: t.whole('Of events; 2000 when absent, 0 to have them only counted.', { minimum: 0, maximum: 10_000 }),
        search: t.text(
          'Only ceremonies that the page’s filter would leave: words, and `state:`, `user:` and their like.',
          { maxLength: 500 },
        ),
        language: t.choice(['en', 'zh'], 'Of the words that are searched; en when absent.'),
        time_zone: t.text('Of the times that are searched, such as Europe/Berlin; UTC when absent.', {
          pattern: '^[A-Za-z0-9_+/:-]{1,64}$',
        }),
        page: t.text('What the page calls itself that `is:mine` is about.', { maxLength: 200 }),
      }),
      data: t.answer({
        events: t.list(recordedEvent),
        from: t.count('What began from here on was looked through: go on with it as `before`.'),
        groups: t.count('How many ceremonies and groups of calls began there.'),
        chips: t.answer('How many of them `is:failed` and its like would leave, whatever was searched for.', {
          failed: t.count(),
          refused: t.count(),
          faulted: t.count(),
          mine: t.count(),
        }),
        more: t.flag('Whether older ones are kept.'),
        first_seq: t.count('The oldest event that is still kept; 0 when there is none.'),
        last_seq: t.count('The latest event.'),
      }),
      large: true,
    },
  ),
  'events.stream': get(
    '/events/stream',
    'The events as they happen, as server-sent events whose id is seq. Those after `after` or Last-Event-ID come first; without either, only what happens from now on.',
    { stream: true, query: t.partial(filters), data: recordedEvent },
  ),
  'events.report': get(
    '/report',
    'What happened, as one HTML file that needs nothing else: what went wrong in words, then the timeline and inspector of the page. `/report.html` answers the file itself.',
    {
      query: t.partial(reported),
      data: t.answer({
        html: t.text(),
        lines: t.list(t.text(), 'What went wrong, as at most eight lines for a terminal; the latest is last.'),
      }),
      large: true,
      page: 'html',
    },
  ),
  'events.agent-report': get(
    '/agent-report',
    'What happened, as Markdown for programs and bug trackers: the verdict, the evidence, and a scenario that `handset run` plays from that file alone. `/agent-report.md` answers the file itself.',
    {
      query: t.partial({
        ...reported,
        msg_id: t.text('Only this message and what had to do with it.'),
        seq: t.whole('Only this exchange.', { minimum: 1 }),
      }),
      data: t.answer({
        markdown: t.text(),
        file: t.text('What the file may be called.'),
        repeats: t.flag('Whether a scenario in it repeats what happened.'),
      }),
      large: true,
      page: 'markdown',
    },
  ),
  'events.scenario': get(
    '/scenario',
    'What happened, as a scenario that does it again. Its setup makes the phones and passkeys that were there before; what no step can do is a comment in it.',
    {
      query: t.partial({
        name: t.shortText('What the scenario is called.'),
        after: t.count('Only what happened after this event; everything that is kept when absent.'),
        msg_id: t.text('Only this message and what had to do with it.'),
        language: t.choice(['en', 'zh'], 'Of its comments; en when absent.'),
      }),
      data: t.answer({
        scenario: t.text('The file, as YAML.'),
        steps: t.count('How many steps it has, without those of its setup.'),
        last_seq: t.count('The last event that is in it.'),
        more: t.flag(
          'Whether there were more events than one recording holds: what came after `last_seq` is not in it.',
        ),
      }),
      large: true,
    },
  ),
  'events.trace': get(
    '/trace',
    'What happened, as a `.handset` file that the page and `handset show` open: the latest 20,000 events.',
    {
      query: t.partial({ title: reported.title, after: reported.after, phone_id: reported.phone_id }),
      data: t.answer({ handset: t.text('The file’s bytes in base64.') }),
      large: true,
    },
  ),
  'events.signature': get(
    '/events/{seq}/signature',
    'How a request that was refused with 40104 was signed: the usual mistakes are tried until one gives its signature.',
    {
      params: t.object({ seq: t.text('The exchange’s number.', { pattern: '^[0-9]{1,15}$' }) }),
      data: signatureExplanation,
    },
  ),
  'events.wait': post(
    '/wait',
    'Answers with the first event that matches. When time runs out it refuses with 40905, and `data.came` says what came instead.',
    {
      body: t.object({
        match: t.dictionary('Fields the event must have; inner objects match by the fields they name.'),
        after: t.optional(t.count('Only events after this number; from now on when absent.')),
        timeout_ms: t.optional(t.duration('Real time; 10,000 when absent.', 600_000)),
      }),
      data: recordedEvent,
    },
  ),
} as const satisfies ControlRoutes
