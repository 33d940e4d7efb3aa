import { useMemo } from 'react'
import { texts } from '../ui/texts.ts'
import { piecesOf } from './json-pieces.ts'
import styles from './json-text.module.css'
import { mayUnfold, Unfold } from './unfold.tsx'

const unquoted = (written: string): string => String(JSON.parse(written))

/** A body: JSON laid out and coloured by what it is, anything else as it came. */
export const BodyText = ({ text }: { readonly text: string }) => {
  const pieces = useMemo(() => piecesOf(text), [text])
  if (text === '') return <p className="note">{texts.inspector.noBody}</p>
  return (
    <div className={styles.bodyText}>
      {pieces.map((piece, i) => {
        if (piece.look === 'plain') return piece.text
        const value = piece.look === 'text' ? unquoted(piece.text) : undefined
        if (value !== undefined && mayUnfold(value)) {
          const key = pieces.slice(Math.max(0, i - 2), i).findLast(({ look }) => look === 'key')
          const name = key === undefined ? undefined : unquoted(key.text)
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity.
          return <Unfold key={i} written={piece.text} value={value} name={name} />
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity.
          <span key={i} data-look={piece.look}>
            {piece.text}
          </span>
        )
      })}
    </div>
  )
}
