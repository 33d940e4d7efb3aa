import { ShieldX } from 'lucide-react'
import { wordOf } from '../../src-main/core/contract/judge/failure-words.ts'
import { textOf } from '../../src-main/core/messages/text.ts'
import type { Message } from '../../src-main/views/timeline/timeline.ts'
import { verdictWord } from '../bench/words.ts'
import { Button } from '../ui/button.tsx'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import explainedHeadStyles from './explained-head.module.css'
import styles from './refusal-head.module.css'

type FailureHeadProps = {
  readonly message: Message /** To where it was judged. */
  readonly onWhy: (seq: number) => void
}

/** Shown for every exchange of the failed ceremony. */
export const FailureHead = ({ message, onWhy }: FailureHeadProps) => {
  const { state, error, judgedIn, username } = message
  const word = verdictWord(message)
  const said = state === 'timeout' ? texts.rp.failed.timeoutLead : textOf(messages.failures, { code: wordOf(error) })
  return (
    <header className={`${explainedHeadStyles.head} ${styles.head}`} data-part="explained-head">
      <ShieldX size={24} strokeWidth={1.5} />
      <div>
        <h2>{said}</h2>
        {said === word ? null : (
          <p>
            <code>{word}</code>
          </p>
        )}
      </div>
      {judgedIn === undefined ? null : (
        <Button
          look="primary"
          aria-label={texts.timeline.whyOf(username)}
          onClick={() => onWhy(judgedIn)}
          text={texts.timeline.why}
        />
      )}
    </header>
  )
}
