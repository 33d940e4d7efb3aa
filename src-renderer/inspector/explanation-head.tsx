import { RotateCcw, ShieldX, Zap } from 'lucide-react'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { sentIn } from '../../src-main/core/messages/sent-and-honest.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { pageName } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { evidenceText, faultText, messages } from '../ui/messages.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import explainedHeadStyles from './explained-head.module.css'
import styles from './explanation-head.module.css'
import { stillArmed } from './struck-faults.ts'

type ExplanationHeadProps = {
  readonly verdict: Extract<BenchEvent, { kind: 'verdict' }>
  readonly message: Message | undefined
  readonly onRetried: (message: Message) => void
}

/** One sentence that says why, whether it was asked for, and the way on. */
export const ExplanationHead = ({ verdict, message, onRetried }: ExplanationHeadProps) => {
  const words = texts.inspector.explained
  const phones = useBenchPart((state) => state.phones)
  const recorded = useBenchPart((state) => state.recorded)
  const { act, problem } = useAct()
  const struck = message?.struck
  const said = struck === undefined ? undefined : sentIn(verdict.steps)
  const phone = phones.find(({ id }) => id === struck?.phoneId)
  const armed = struck === undefined ? [] : stillArmed(phone?.faults ?? [], struck.faults)
  const tryAgain = async (asked: Message) => {
    const params = { rp: asked.rpId }
    const user = { user_id: asked.userId, username: asked.username, asked_by: pageName() }
    const done = await act(async (client) => {
      for (const { id } of armed) {
        await client.call('phones.disarm', { params: { id: phone?.id ?? '', fault_id: id } })
      }
      return asked.ceremony === 'registration'
        ? client.call('simulator.register', { params, body: user })
        : client.call('simulator.sign-in', { params, body: { ...user, method: asked.method ?? 'qrcode' } })
    })
    if (done) onRetried(asked)
  }
  return (
    <header className={explainedHeadStyles.head} data-part="explained-head">
      <ShieldX size={24} strokeWidth={1.5} aria-hidden="true" />
      <div>
        {verdict.failure === undefined ? (
          <h2>{texts.inspector.verdict.refused}</h2>
        ) : (
          <h2>{messages.failures[verdict.failure.word]}</h2>
        )}
        <p>
          {texts.inspector.verdict.refused}
          {verdict.failure === undefined ? null : (
            <>
              {' '}
              <code>{verdict.failure.word}</code> {words.atStep(verdict.failure.step)}
            </>
          )}
        </p>
        <Problem problem={problem} />
      </div>
      {message === undefined || recorded ? null : (
        <Button look="primary" onClick={() => void tryAgain(message)}>
          <RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />
          {armed.length > 0 ? words.disarm : struck === undefined ? words.again : words.without}
        </Button>
      )}
      {struck === undefined ? null : (
        <p className={styles.explainedFault}>
          <Zap size={14} strokeWidth={1.75} aria-hidden="true" />
          <b>{words.armedOn(phone?.name)}</b>
          {struck.faults.map((name) => (
            <span key={name} title={name}>
              {faultText(name)}
            </span>
          ))}
          {said === undefined ? null : (
            <span className={styles.said}>
              {texts.inspector.lie.sent} <b>{shortened(evidenceText(said.sent))}</b> · {texts.inspector.lie.honest}{' '}
              <b>{shortened(evidenceText(said.honest))}</b>
            </span>
          )}
          <small>{armed.length > 0 ? words.stays : words.spent}</small>
        </p>
      )}
    </header>
  )
}

/** The step shows all of it. */
const MOST_SHOWN = 80

const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)
