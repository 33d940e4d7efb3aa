import { useMemo, useState } from 'react'
import { texts } from '../ui/texts.ts'
import { type Change, changesOf, decodedLines } from './changes-of.ts'
import styles from './compare-view.module.css'

import { type Exchange, requestLines, responseLines } from './exchange-lines.ts'
import { type Line, lineDifference } from './line-difference.ts'
import partStyles from './part.module.css'

type CompareViewProps = { readonly held: Exchange; readonly other: Exchange | undefined }

/** Two exchanges laid over each other: first what tells them apart, then what always differs, then every line. */
export const CompareView = ({ held, other }: CompareViewProps) => {
  const words = texts.inspector
  const changes = useMemo(() => (other === undefined ? [] : changesOf(held, other)), [held, other])
  const [open, setOpen] = useState(false)
  if (other === undefined || other.seq === held.seq) return <p className="empty">{words.compareNext}</p>
  const telling = changes.filter(({ always }) => !always)
  const always = changes.filter((change) => change.always)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section className={styles.compare} aria-label={words.compare} tabIndex={0}>
      <h3 className={partStyles.head} data-part="part-head">
        {words.telling}
        <span>{`#${held.seq} → #${other.seq}`}</span>
      </h3>
      {telling.length === 0 ? <p className={styles.none}>{words.nothingTelling}</p> : <Changes changes={telling} />}
      {always.length === 0 ? null : (
        <details className={styles.folded}>
          <summary>{words.alwaysAnother(always.length)}</summary>
          <Changes changes={always} />
        </details>
      )}
      <details className={styles.folded} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{words.everyLine}</summary>
        {open ? <EveryLine held={held} other={other} /> : null}
      </details>
    </section>
  )
}

const Changes = ({ changes }: { readonly changes: readonly Change[] }) => (
  <dl className={styles.changes} data-part="changes">
    {changes.map(({ name, before, after }) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>
          {before === undefined || before === '' ? null : (
            <del>
              <code>{before}</code>
            </del>
          )}
          {after === undefined || after === '' ? null : (
            <ins>
              <code>{after}</code>
            </ins>
          )}
        </dd>
      </div>
    ))}
  </dl>
)

const EveryLine = ({ held, other }: { readonly held: Exchange; readonly other: Exchange }) => {
  const words = texts.inspector
  const decoded = lineDifference(decodedLines(held), decodedLines(other))
  return (
    <>
      {decoded.length === 0 ? null : <Side title={words.decodedFields} lines={decoded} />}
      <Side title={words.request} lines={lineDifference(requestLines(held), requestLines(other))} />
      <Side title={words.response} lines={lineDifference(responseLines(held), responseLines(other))} />
    </>
  )
}

const Side = ({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) => (
  <section aria-label={title}>
    <h3 className={partStyles.head} data-part="part-head">
      {title}
      <span>{texts.inspector.changedLines(lines.filter(({ kind }) => kind !== 'same').length)}</span>
    </h3>
    <div className={styles.comparedLines}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand twice.
        <ComparedLine key={i} line={line} />
      ))}
    </div>
  </section>
)

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
