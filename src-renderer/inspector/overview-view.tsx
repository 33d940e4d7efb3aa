import type { ExchangeFact } from '../../src-main/core/contract/events.ts'
import type { Selection } from '../bench/selection.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { wordsOf } from '../bench/words.ts'
import { hourMinuteSecond, took } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { FailureHead } from './failure-head.tsx'
import { LieHead } from './lie-head.tsx'
import styles from './overview-view.module.css'
import { RefusalHead } from './refusal-head.tsx'
import { ResendLinks } from './resend-links.tsx'

/** What the simulated conditions did to a call. */
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

/** Its own refusal or lie comes first. */
const saysWhy = (exchange: Selection['exchange']): boolean =>
  exchange !== undefined && (exchange.response.code !== 0 || exchange.faults !== undefined)

type OverviewViewProps = Omit<Parameters<typeof ResendLinks>[0], 'exchange'> & {
  readonly selection: Selection
  readonly onWhy: (seq: number) => void
}

/** The few facts one asks for first. */
export const OverviewView = ({ selection, onWhy, ...links }: OverviewViewProps) => {
  const words = texts.inspector.facts
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const { row, exchange, message } = selection
  const phone = phones.find(({ device_id }) => device_id !== undefined && device_id === exchange?.device_id)
  const facts: readonly (readonly [string, string | undefined])[] = [
    [words.time, hourMinuteSecond(row.bench)],
    [words.route, exchange?.request.route ?? row.route],
    [words.status, exchange === undefined ? undefined : String(exchange.response.status)],
    [words.code, exchange === undefined ? undefined : String(exchange.response.code)],
    [words.took, exchange === undefined ? undefined : took(exchange.took_us)],
    [words.rp, rps.find(({ id }) => id === (exchange?.rp_id ?? message?.rpId))?.name],
    [words.key, exchange?.access_key_id],
    [words.device, phone?.name ?? exchange?.device_id],
    [words.message, message?.msgId],
    [words.traceparent, exchange?.traceparent],
    [words.caused, row.moved === undefined ? undefined : `${row.before ?? '–'} → ${row.moved}`],
    [words.conditions, conditionsText(exchange?.conditions, words.byConditions)],
    [words.honest, exchange?.honest?.body],
  ]
  return (
    <div className={styles.overview}>
      {exchange === undefined || exchange.response.code === 0 ? null : <RefusalHead exchange={exchange} />}
      {exchange?.faults === undefined ? null : <LieHead exchange={exchange} />}
      {message !== undefined && FAILED.has(message.state) && !saysWhy(exchange) ? (
        <FailureHead message={message} onWhy={onWhy} />
      ) : null}
      <h3>{wordsOf(row)}</h3>
      {exchange === undefined ? null : <ResendLinks exchange={exchange} {...links} />}
      <dl>
        {facts.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  )
}
