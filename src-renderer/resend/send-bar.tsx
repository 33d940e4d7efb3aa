import { GitCompareArrows, SendHorizontal, ShieldQuestion, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Data } from '../../src-main/core/contract/control/routes.ts'
import { errorNameOf } from '../../src-main/core/contract/errors.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import type { Exchange } from '../inspector/exchange-lines.ts'
import type { ResendLinks } from '../inspector/inspector-part.tsx'
import { messages, reasonText } from '../ui/messages.ts'
import { Button, Chip, Problem, QuietButton } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { trackRequest, useCalls } from '../ui/use-asked.ts'
import styles from './resend.module.css'

export const TEXT_AREA = 'mono-12 ink breaks bg-raised framed rounded-7 p-6-9'

type SendBarProps = ResendLinks & {
  readonly original: Exchange
  readonly edits: number
  readonly edited: boolean
  readonly sendable: boolean
  readonly sending: ReturnType<typeof useSend>
  readonly onUndo: () => void
  /** Choice of the signature. */
  readonly children: ReactNode
}

export const SendBar = ({ original, edits, edited, sendable, sending, onUndo, children, ...links }: SendBarProps) => {
  const words = texts.resend
  return (
    <div className={`${styles.bar} row wraps line-above bg-surface-2 gap-6-10 p-8-16`}>
      {children}
      <Button
        Icon={SendHorizontal}
        look="primary"
        type="submit"
        disabled={!sendable || sending.sending}
        text={sending.sending ? words.sending : words.send}
      />
      <Button Icon={Undo2} look="ghost" disabled={!edited} onClick={onUndo} text={words.undo} />
      <div className="row wraps gap-6 small muted min-h-24" role="status">
        {sending.sent === undefined ? (
          sending.problem === undefined ? (
            <span>{words.edits(edits)}</span>
          ) : null
        ) : (
          <Result sent={sending.sent} original={original} {...links} />
        )}
      </div>
      <Problem problem={sending.problem} />
    </div>
  )
}

const Result = ({
  sent,
  original,
  onShow,
  onCompare,
}: ResendLinks & { readonly sent: Sent; readonly original: Exchange }) => {
  const words = texts.resend
  const { store } = useTools()
  const { seq } = sent
  // The call returns before its event arrives.
  const here = useBenchPart(() => seq !== undefined && store.lookUp(seq) !== undefined)
  const judged = 'msg_id' in sent
  return (
    <>
      <Chip tone={isGood(sent) ? 'ok' : 'fail'}>
        <code>{judged && sent.failure !== undefined ? sent.failure.word : sent.code}</code>
      </Chip>
      {judged && sent.failure !== undefined ? <code>{sent.failure.step}</code> : null}
      <span className="ink">{resultText(sent)}</span>
      {seq === undefined || !here ? null : (
        <>
          <QuietButton
            Icon={ShieldQuestion}
            onClick={() => onShow(seq, judged && sent.accepted === false ? 'steps' : 'overview')}
            text={judged && sent.accepted === false ? texts.timeline.why : words.show}
          />
          <QuietButton Icon={GitCompareArrows} onClick={() => onCompare(original, seq)} text={words.compare} />
        </>
      )}
    </>
  )
}

const isGood = (sent: Sent): boolean =>
  sent.code === 0 && ('msg_id' in sent ? sent.accepted !== false : sent.unanswered === undefined && sent.status < 400)

const resultText = (sent: Sent): string => {
  const words = texts.resend
  if ('msg_id' in sent) {
    if (sent.failure !== undefined) return messages.failures[sent.failure.word]
    if (sent.accepted === true) return words.acceptedAnswer
  } else if (sent.unanswered !== undefined) return reasonText(sent.unanswered as Parameters<typeof reasonText>[0])
  const name = errorNameOf(sent.code)
  return name === undefined ? words.accepted : messages.errors[name]
}

type Sent = Data<'events.resend'> | Data<'events.answer'>

export const useSend = () => {
  const { call, busy, problem } = useCalls(trackRequest)
  const [sent, setSent] = useState<Sent>()
  const send = async (ask: (client: ControlClient) => Promise<Sent>): Promise<void> => {
    setSent(undefined)
    const result = await call(ask)
    if (result.ok) setSent(result.value)
  }
  return { sending: busy, sent, problem, send }
}
