import { GitCompareArrows } from 'lucide-react'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import type { Exchange } from './exchange-lines.ts'
import styles from './resend-links.module.css'

type ResendLinksProps = {
  readonly exchange: Exchange
  readonly onLook: (seq: number) => void
  readonly onCompare: (original: Exchange, seq: number) => void
}

/** From an exchange to the one that it repeats, and to those that repeat it. */
export const ResendLinks = ({ exchange, onLook, onCompare }: ResendLinksProps) => {
  const words = texts.resend
  const { store } = useTools()
  const { resent, seq } = exchange
  const original = useBenchPart(() => (resent === undefined ? undefined : store.lookUp(resent.from)))
  const repeats = useBenchPart(({ timeline }) => timeline.places.repeats.get(seq))
  if (resent === undefined && repeats === undefined) return null
  return (
    <div className={styles.links} data-part="resend-links">
      {resent === undefined ? null : (
        <p>
          {words.from}{' '}
          <Button look="ghost" small onClick={() => onLook(resent.from)}>
            #{resent.from}
          </Button>
          <span>{words.how(resent.edited.join(', '), words.signings[resent.signing])}</span>
          {original?.kind !== 'exchange' ? null : (
            <Button look="ghost" small onClick={() => onCompare(original, seq)}>
              <GitCompareArrows size={14} strokeWidth={1.75} aria-hidden="true" />
              {words.compare}
            </Button>
          )}
        </p>
      )}
      {repeats === undefined ? null : (
        <p>
          {words.again}{' '}
          {repeats.map((each) => (
            <Button key={each} look="ghost" small onClick={() => onLook(each)}>
              #{each}
            </Button>
          ))}
        </p>
      )}
    </div>
  )
}
