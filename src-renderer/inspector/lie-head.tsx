import { Zap } from 'lucide-react'
import { lieIn } from '../../src-main/core/messages/sent-and-honest.ts'
import { serviceFaultText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import type { Exchange } from './exchange-lines.ts'
import explainedHeadStyles from './explained-head.module.css'
import styles from './lie-head.module.css'

/** Which fault struck an answer, and what was sent beside what is honest. */
export const LieHead = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.lie
  return (
    <header className={`${explainedHeadStyles.head} ${styles.head}`} data-part="explained-head">
      <Zap size={24} strokeWidth={1.5} aria-hidden="true" />
      <div>
        <h2>{exchange.faults?.map(({ fault }) => serviceFaultText(fault)).join(' ')}</h2>
        <p>
          {words.struck}{' '}
          {exchange.faults?.map(({ fault }) => (
            <code key={fault}>{fault}</code>
          ))}
        </p>
        {lieIn(exchange).map(({ member, sent, honest }) => (
          <p key={member}>
            {member === '' ? null : <code>{member}</code>} {words.sent} <b>{sent ?? words.nothing}</b> · {words.honest}{' '}
            <b>{honest ?? words.nothing}</b>
          </p>
        ))}
      </div>
    </header>
  )
}
