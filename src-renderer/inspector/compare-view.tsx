import { useMemo } from 'react'
import { texts } from '../ui/texts.ts'
import styles from './compare-view.module.css'
import { decodedLines } from './decoded-lines.ts'
import { type Exchange, requestLines, responseLines } from './exchange-lines.ts'
import { type Line, lineDifference } from './line-difference.ts'
import partStyles from './part.module.css'

type CompareViewProps = { readonly held: Exchange; readonly other: Exchange | undefined }

/** Two exchanges laid over each other: what only the first has, and what only the second has. */
export const CompareView = ({ held, other }: CompareViewProps) => {
  const words = texts.inspector
  const request = useMemo(
    () => (other === undefined ? [] : lineDifference(requestLines(held), requestLines(other))),
    [held, other],
  )
  const response = useMemo(
    () => (other === undefined ? [] : lineDifference(responseLines(held), responseLines(other))),
    [held, other],
  )
  const decoded = useMemo(
    () => (other === undefined ? [] : lineDifference(decodedLines(held), decodedLines(other))),
    [held, other],
  )
  if (other === undefined || other.seq === held.seq) return <p className="empty">{words.compareNext}</p>
  return (
    <div className={partStyles.wireParts} data-part="wire-parts">
      {decoded.length === 0 ? null : <Side title={words.decodedFields} lines={decoded} />}
      <Side title={words.request} lines={request} />
      <Side title={words.response} lines={response} />
    </div>
  )
}

const Side = ({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) => {
  const words = texts.inspector
  const changed = lines.filter(({ kind }) => kind !== 'same').length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={partStyles.wirePart} aria-label={title} tabIndex={0}>
      <h3 className={partStyles.head} data-part="part-head">
        {title}
        <span>{words.changedLines(changed)}</span>
      </h3>
      <div className={styles.comparedLines}>
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand twice.
          <ComparedLine key={i} line={line} />
        ))}
      </div>
    </section>
  )
}

const ComparedLine = ({ line: { kind, text } }: { readonly line: Line }) => {
  if (kind === 'same') return <code>{text}</code>
  return kind === 'gone' ? (
    <del>
      <code>{text}</code>
    </del>
  ) : (
    <ins>
      <code>{text}</code>
    </ins>
  )
}
