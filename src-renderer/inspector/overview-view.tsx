import { GitCompareArrows, Zap } from 'lucide-react'
import type { ExchangeFact } from '../../src-main/core/contract/events.ts'
import { findDifferences } from '../../src-main/core/messages/sent-and-honest.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { failureWord } from '../../src-main/core/protocol/message-state.ts'
import { verdictText } from '../../src-main/views/timeline/said.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import type { Selection } from '../bench/selection.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { rowWords } from '../bench/words.ts'
import { hourMinuteSecond, took } from '../ui/format.ts'
import { messages, serviceFaultText } from '../ui/messages.ts'
import { Button, QuietButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { Exchange } from './exchange-lines.ts'
import partStyles from './part.module.css'
import { ExplainedHead } from './part.tsx'
import { RefusalHead } from './refusal-head.tsx'

const conditionsText = (
  { latency_ms, failed, lost }: NonNullable<ExchangeFact['conditions']> = {},
  words: typeof texts.inspector.facts.byConditions,
): string =>
  [
    latency_ms === undefined ? undefined : words.latency(latency_ms),
    failed === undefined ? undefined : words.failed(failed),
    lost === undefined ? undefined : words.lost,
  ]
    .filter((done) => done !== undefined)
    .join(' · ')

const FAILED: ReadonlySet<string> = new Set(['fail', 'timeout'])

const saysWhy = (exchange: Selection['exchange']): boolean =>
  exchange !== undefined && (exchange.response.code !== 0 || exchange.faults !== undefined)

type OverviewViewProps = Omit<Parameters<typeof ResendLinks>[0], 'exchange'> & {
  readonly selection: Selection
  readonly onWhy: (seq: number) => void
}

export const OverviewView = ({ selection, onWhy, ...links }: OverviewViewProps) => {
  const words = texts.inspector.facts
  const { timeline } = texts
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const { row, exchange, message } = selection
  const phone = phones.find(({ device_id }) => device_id !== undefined && device_id === exchange?.device_id)
  const facts: readonly (readonly [string, string | undefined])[] = [
    [timeline.time, hourMinuteSecond(row.bench)],
    [words.route, exchange?.request.route ?? row.route],
    [words.status, exchange === undefined ? undefined : String(exchange.response.status)],
    [words.code, exchange === undefined ? undefined : String(exchange.response.code)],
    [timeline.took, exchange === undefined ? undefined : took(exchange.took_us)],
    [timeline.rp, rps.find(({ id }) => id === (exchange?.rp_id ?? message?.rpId))?.name],
    [words.key, exchange?.access_key_id],
    [words.device, phone?.name ?? exchange?.device_id],
    [words.message, message?.msgId],
    [words.traceparent, exchange?.traceparent],
    [words.caused, row.moved === undefined ? undefined : `${row.before ?? '–'} → ${row.moved}`],
    [texts.console.conditions.title, conditionsText(exchange?.conditions, words.byConditions)],
    [words.honest, exchange?.honest?.body],
  ]
  return (
    <div className="scrolls px-16 py-14">
      {exchange === undefined || exchange.response.code === 0 ? null : <RefusalHead exchange={exchange} />}
      {exchange?.faults === undefined ? null : <LieHead exchange={exchange} />}
      {message !== undefined && FAILED.has(message.state) && !saysWhy(exchange) ? (
        <FailureHead message={message} onWhy={onWhy} />
      ) : null}
      <h3 className="title-15 weight-600">{rowWords(row)}</h3>
      {exchange === undefined ? null : <ResendLinks exchange={exchange} {...links} />}
      <dl className="two-columns mt-8">
        {facts.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div className="grid label-96 leading-22 unbroken" key={name}>
              <dt className="small faint">{name}</dt>
              <dd className="mono-12 leading-22 breaks">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}

type FailureHeadProps = {
  readonly message: Message /** Opens the exchange in which it was judged. */
  readonly onWhy: (seq: number) => void
}

/** Shown for every exchange of the failed ceremony. */
const FailureHead = ({ message, onWhy }: FailureHeadProps) => {
  const { state, error, judgedIn, username } = message
  const word = verdictText(message)
  const reason =
    state === 'timeout' ? texts.rp.failed.timeoutLead : textOf(messages.failures, { code: failureWord(error) })
  const why = texts.timeline.whyOf(username)
  return (
    <ExplainedHead
      className={partStyles.ofRefusal}
      title={reason}
      more={
        judgedIn === undefined ? null : (
          <Button look="primary" aria-label={why} onClick={() => onWhy(judgedIn)} text={texts.timeline.why} />
        )
      }
    >
      {reason === word ? null : (
        <p>
          <code>{word}</code>
        </p>
      )}
    </ExplainedHead>
  )
}

type ResendLinksProps = {
  readonly exchange: Exchange
  readonly onLook: (seq: number) => void
  readonly onCompare: (original: Exchange, seq: number) => void
}

const ResendLinks = ({ exchange, onLook, onCompare }: ResendLinksProps) => {
  const words = texts.resend
  const { store } = useTools()
  const { resent, seq } = exchange
  const original = useBenchPart(() => (resent === undefined ? undefined : store.lookUp(resent.from)))
  const repeats = useBenchPart(({ timeline }) => timeline.places.repeats.get(seq))
  if (resent === undefined && repeats === undefined) return null
  return (
    <div className="muted mt-6" data-part="resend-links">
      {resent === undefined ? null : (
        <p className="row wraps gap-4-8">
          {words.from} <QuietButton onClick={() => onLook(resent.from)} text={`#${resent.from}`} />
          <span className="muted">{words.how(resent.edited.join(', '), words.signings[resent.signing])}</span>
          {original?.kind !== 'exchange' ? null : (
            <QuietButton Icon={GitCompareArrows} onClick={() => onCompare(original, seq)} text={words.compare} />
          )}
        </p>
      )}
      {repeats === undefined ? null : (
        <p className="row wraps gap-4-8">
          {words.again}{' '}
          {repeats.map((each) => (
            <QuietButton key={each} onClick={() => onLook(each)} text={`#${each}`} />
          ))}
        </p>
      )}
    </div>
  )
}

const LieHead = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.lie
  const { faults = [] } = exchange
  return (
    <ExplainedHead
      Icon={Zap}
      className={partStyles.ofRefusal}
      data-tone="fault"
      title={faults.map(({ fault }) => serviceFaultText(fault)).join(' ')}
    >
      <p>
        {words.struck}{' '}
        {faults.map(({ fault }) => (
          <code key={fault}>{fault}</code>
        ))}
      </p>
      {findDifferences(exchange).map(({ member, sent, honest }) => (
        <p key={member}>
          {member === '' ? null : <code>{member}</code>} {words.sent} <b>{sent ?? words.nothing}</b> · {words.honest}{' '}
          <b>{honest ?? words.nothing}</b>
        </p>
      ))}
    </ExplainedHead>
  )
}
