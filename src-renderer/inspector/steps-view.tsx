import { Check, ChevronDown, ChevronUp, Minus, RotateCcw, ShieldCheck, X, Zap } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { EventOf } from '../../src-main/core/contract/events.ts'
import type { JudgedCheck, JudgedStep } from '../../src-main/core/contract/judge/verdict.ts'
import { findSentAndHonest } from '../../src-main/core/messages/sent-and-honest.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { type DecodedPart, decodeParts } from '../../src-main/views/inspect/parts.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import { pageName } from '../session.ts'
import { arrowStep } from '../ui/effects.ts'
import { evidenceText, faultText, messages } from '../ui/messages.ts'
import { Button, IconButton, Problem } from '../ui/primitives.tsx'
import { untranslated } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import { useRunAction } from '../ui/use-asked.ts'
import { HexView } from './decoded-view.tsx'
import { differingParts, hotByte, Marked } from './marked.tsx'
import { failedStepFrom, stillArmed } from './message-view.tsx'
import partStyles from './part.module.css'
import { ComparedList, ExplainedHead } from './part.tsx'
import styles from './steps-view.module.css'

type StepsViewProps = {
  readonly verdict: EventOf<'verdict'>
  readonly answer: string
  readonly message: Message | undefined
  readonly onRetried: (message: Message) => void
}

export const StepsView = ({ verdict, answer, message, onRetried }: StepsViewProps) => {
  const words = texts.inspector.verdict
  const firstFailed = verdict.steps.findIndex(({ outcome }) => outcome === 'failed')
  const [chosen, setChosen] = useState(Math.max(0, firstFailed))
  useEffect(() => {
    if (firstFailed > 0) centreInList(document.getElementById(`step-${firstFailed}`))
  }, [firstFailed])
  const step = verdict.steps[chosen]
  const { by, reason } = verdict.second_opinion ?? {}
  const parts = useMemo(() => decodeParts(answer), [answer])
  const count = (outcome: JudgedStep['outcome']) => verdict.steps.filter((each) => each.outcome === outcome).length
  const choose = (next: number | undefined) => {
    if (next === undefined) return
    setChosen(next)
    document.getElementById(`step-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const toFailed = (by: 1 | -1) => choose(failedStepFrom(verdict.steps, { from: chosen, by }))
  const place = useRef<HTMLDivElement>(null)
  useAction('previous-failed', place, firstFailed < 0 ? undefined : () => toFailed(-1))
  useAction('next-failed', place, firstFailed < 0 ? undefined : () => toFailed(1))
  const move = (event: KeyboardEvent) => {
    const by = arrowStep(event)
    if (by !== 0) choose(Math.min(verdict.steps.length - 1, Math.max(0, chosen + by)))
  }
  return (
    <div ref={place} className={`${styles.verdict} grid shortens`}>
      {verdict.accepted ? null : <ExplanationHead verdict={verdict} message={message} onRetried={onRetried} />}
      <div className={`${styles.verdictSteps} column shortens bg-surface-2 line-right`}>
        <div className={`${partStyles.head} one-line weight-540`} data-part="part-head">
          {words.steps(verdict.steps.length)}
          <span className="push-right">
            {count('failed') === 0 ? null : (
              <b className="fail weight-600">{words.failed(count('failed')) + words.comma}</b>
            )}
            {words.passed(count('passed'))}
            {count('skipped') === 0 ? null : (
              <em className={`${styles.skippedCount} upright`}>{words.comma + words.skipped(count('skipped'))}</em>
            )}
          </span>
          {count('failed') === 0 ? null : (
            <span className="flex ml-4">
              <IconButton Icon={ChevronUp} name={texts.palette.names['previous-failed']} onClick={() => toFailed(-1)} />
              <IconButton Icon={ChevronDown} name={texts.palette.names['next-failed']} onClick={() => toFailed(1)} />
            </span>
          )}
        </div>
        <div
          className="grow shortens scrolls-y inset-focus"
          role="listbox"
          aria-label={words.list}
          aria-activedescendant={`step-${chosen}`}
          tabIndex={0}
          onKeyDown={move}
        >
          {verdict.steps.map((each, i) => (
            <button
              type="button"
              role="option"
              id={`step-${i}`}
              key={each.id}
              className={`${styles.step} choosable middle grid relative wide text-left hovers-3 min-h-24 p-0-14-0-16`}
              tabIndex={-1}
              aria-selected={i === chosen}
              data-outcome={each.outcome}
              onClick={() => setChosen(i)}
            >
              <code className="tiny faint">{each.id}</code>
              <Outcome outcome={each.outcome} />
              <span className={`py-3 leading-18 pretty ${OUTCOME_LOOKS[each.outcome]}`}>{messages.steps[each.id]}</span>
            </button>
          ))}
        </div>
        <SecondOpinion verdict={verdict} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section className={`${styles.verdictStep} scrolls px-18 py-14`} aria-labelledby="step-title" tabIndex={0}>
        {verdict.accepted ? (
          <p className="row wraps muted gap-4-8" data-tone="ok">
            <ShieldCheck className="tone-fill" size={18} />
            <b className="title-15 weight-610 ink">{words.accepted}</b>
            <span>{words.allPassed}</span>
          </p>
        ) : null}
        {step === undefined ? null : <StepDetail step={step} parts={parts} />}
        {by === undefined && reason === undefined ? null : (
          <p className="muted breaks line-above mt-16 pt-12">
            <b className="ink weight-580 mr-8">{texts.inspector.explained.second}</b>
            {by === undefined ? null : <code className="mr-8">{by}</code>}
            {typeof reason === 'string' ? (
              <span {...untranslated(reason)} />
            ) : (
              reason && textOf(messages.opinions, reason)
            )}
          </p>
        )}
      </section>
    </div>
  )
}

/** Scrolls only the list, so that the explanation above it stays visible on a narrow screen. */
const centreInList = (step: HTMLElement | null): void => {
  const list = step?.parentElement
  if (step === null || list === null || list === undefined) return
  const { top } = step.getBoundingClientRect()
  list.scrollBy({ top: top - list.getBoundingClientRect().top - (list.clientHeight - step.clientHeight) / 2 })
}

/** No opinion yet: the service computes opinions when it is idle, and never if the profile disables them. */
const NOT_HEARD = { heard: false, accepts: undefined }

const SecondOpinion = ({ verdict }: { readonly verdict: EventOf<'verdict'> }) => {
  const words = texts.inspector.verdict
  const { heard, accepts } = verdict.second_opinion ?? NOT_HEARD
  const agrees = heard && accepts === verdict.accepted
  const text = !heard ? words.unheard : agrees ? words.agrees[`${verdict.accepted}`] : words.differs
  const Icon = !heard ? Minus : agrees ? Check : X
  return (
    <p className={`row rigid gap-7 small line-above h-36 px-16 ${heard && !agrees ? 'fault' : 'muted'}`}>
      <Icon className={agrees ? 'ok' : undefined} size={13} strokeWidth={2.5} />
      {text}
    </p>
  )
}

type ExplanationHeadProps = {
  readonly verdict: EventOf<'verdict'>
  readonly message: Message | undefined
  readonly onRetried: (message: Message) => void
}

const ExplanationHead = ({ verdict, message, onRetried }: ExplanationHeadProps) => {
  const words = texts.inspector.explained
  const { refused } = texts.inspector.verdict
  const { failure } = verdict
  const phones = useBenchPart((state) => state.phones)
  const recorded = useBenchPart((state) => state.recorded)
  const { act, problem } = useRunAction()
  const triggered = message?.struck
  const sent = triggered === undefined ? undefined : findSentAndHonest(verdict.steps)
  const phone = phones.find(({ id }) => id === triggered?.phoneId)
  const armed = triggered === undefined ? [] : stillArmed(phone?.faults ?? [], triggered.faults)
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
    <ExplainedHead
      title={failure === undefined ? refused : messages.failures[failure.word]}
      more={
        <>
          {message === undefined || recorded ? null : (
            <Button
              Icon={RotateCcw}
              look="primary"
              onClick={() => void tryAgain(message)}
              text={armed.length > 0 ? words.disarm : triggered === undefined ? words.again : words.without}
            />
          )}
          {triggered === undefined ? null : (
            <p className={`${styles.explainedFault} row wraps whole-row relative rounded-7 gap-2-8 bg-fault-soft`}>
              <Zap className="fault absolute left-10 top-9" />
              <b className="fault weight-580">{words.armedOn(phone?.name)}</b>
              {triggered.faults.map((name) => (
                <span className="ink" key={name} title={name}>
                  {faultText(name)}
                </span>
              ))}
              {sent === undefined ? null : (
                <span className={`${styles.said} breaks ink`}>
                  {texts.inspector.lie.sent} <b className="fault weight-580">{shortened(evidenceText(sent.sent))}</b> ·{' '}
                  {texts.inspector.lie.honest}{' '}
                  <b className="fault weight-580">{shortened(evidenceText(sent.honest))}</b>
                </span>
              )}
              <small className="small">{armed.length > 0 ? words.stays : words.spent}</small>
            </p>
          )}
        </>
      }
    >
      <p>
        {refused}
        {failure === undefined ? null : (
          <>
            {' '}
            <code>{failure.word}</code> {words.atStep(failure.step)}
          </>
        )}
      </p>
      <Problem problem={problem} />
    </ExplainedHead>
  )
}

/** Maximum number of characters shown here; the step shows the whole value. */
const MAX_SHOWN = 80

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)

const MARKS = {
  passed: { Icon: Check, look: 'ok' },
  failed: { Icon: X, look: 'on-fail bg-fail-fill' },
  skipped: { Icon: Minus, look: 'faint' },
} as const

export const OUTCOME_LOOKS = { passed: 'ink', failed: 'fail', skipped: 'faint' } as const

type StepDetailProps = { readonly step: JudgedStep; readonly parts: readonly DecodedPart[] }

const StepDetail = ({ step, parts }: StepDetailProps) => {
  const words = texts.inspector.verdict
  const { at } = step
  const part = at === undefined ? undefined : parts.find(({ name }) => name === at.part)
  return (
    <div className={`${styles.stepDetail} mt-14`} data-outcome={step.outcome}>
      <h3 className="flex gap-10 baseline text-14 weight-600 leading-20" id="step-title">
        <code className="small muted weight-560 bg-surface-3 rounded-6 px-7 py-1">{step.id}</code>
        <span>{messages.steps[step.id]}</span>
      </h3>
      {step.note === undefined ? null : <p className="muted mt-4">{messages.notes[step.note]}</p>}
      {step.expected === undefined && step.received === undefined ? null : <Compared step={step} />}
      {step.checks?.map((check) => (
        <div
          key={`${check.check} ${check.word} ${JSON.stringify(check.received)}`}
          className={`${OUTCOME_LOOKS[check.outcome]} mt-8`}
          data-outcome={check.outcome}
        >
          <h4 className="row gap-6 text-13 weight-480">
            <Outcome outcome={check.outcome} />
            <span>{nameOf(check)}</span>
          </h4>
          {check.word === undefined ? null : (
            <p className="muted mt-2 ml-22" data-part="step-reason">
              {messages.failures[check.word]}
            </p>
          )}
          {check.expected === undefined && check.received === undefined ? null : <Compared step={check} />}
        </div>
      ))}
      {at === undefined || part === undefined ? null : (
        <div className={styles.evidenceBytes}>
          <h4 className={`${styles.evidence} flex gap-10 small muted weight-430 mt-12`}>
            <code>{part.name}</code>
            <span className="faint">{words.bytes(at.start, at.end, part.bytes.length)}</span>
          </h4>
          <HexView
            bytes={part.bytes}
            marked={at}
            hot={hotByte(part.bytes, at, shown(step))}
            look={step.outcome === 'failed' ? 'fail' : 'accent'}
          />
        </div>
      )}
    </div>
  )
}

const nameOf = ({ check, word }: JudgedCheck): string | undefined =>
  check === undefined ? word : messages.checks[check]

const shown = ({ expected, received, outcome }: Comparable) => ({
  outcome,
  expected: expected === undefined ? undefined : evidenceText(expected),
  received: received === undefined ? undefined : evidenceText(received),
})

export const Outcome = ({ outcome }: { readonly outcome: JudgedStep['outcome'] }) => {
  const { Icon, look } = MARKS[outcome]
  return (
    <i className={`centred self-centre circle w-16 h-16 ${look}`}>
      <Icon size={11} strokeWidth={2.75} aria-label={texts.viewer.outcomes[outcome]} />
    </i>
  )
}

type Comparable = Pick<JudgedStep, 'expected' | 'received' | 'outcome'>

export const Compared = ({ step }: { readonly step: Comparable }) => {
  const words = texts.inspector.verdict
  const { outcome, expected, received } = shown(step)
  const difference =
    outcome === 'failed' && expected !== undefined && received !== undefined && expected.length < 400
      ? differingParts({ expected, received })
      : undefined
  // Texts with almost nothing in common are not marked, because nearly everything would be marked.
  const close =
    difference !== undefined && difference.same.length + difference.rest.length >= 4 ? difference : undefined
  // Data are shown as code, and sentences in the page's language as text.
  const side = (look: 'wanted' | 'got', text: string | undefined, evidence: Comparable['expected']) => {
    if (text === undefined) return undefined
    if (close === undefined) return typeof evidence === 'string' ? <code>{text}</code> : text
    return <Marked parts={close} middle={look === 'got' ? close.received : close.expected} look={look} />
  }
  return (
    <ComparedList
      rows={[
        [words.expected, side('wanted', expected, step.expected)],
        [words.received, side('got', received, step.received)],
      ]}
    />
  )
}
