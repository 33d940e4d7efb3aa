import { useMemo } from 'react'
import { texts } from '../ui/texts.ts'
import { piecesOf } from './json-pieces.ts'
import styles from './json-text.module.css'

/** A body: JSON laid out and coloured by what it is, anything else as it came. */
export const BodyText = ({ text }: { readonly text: string }) => {
  const pieces = useMemo(() => piecesOf(text), [text])
  if (text === '') return <p className="note">{texts.inspector.noBody}</p>
  return (
    <pre className={styles.bodyText}>
      {pieces.map((piece, i) =>
        piece.look === 'plain' ? (
          piece.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity.
          <span key={i} data-look={piece.look}>
            {piece.text}
          </span>
        ),
      )}
    </pre>
  )
}
