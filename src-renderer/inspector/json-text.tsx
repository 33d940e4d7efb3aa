import { useMemo } from 'react'
import { texts } from '../ui/texts.ts'

/** A body: JSON laid out and coloured by what it is, anything else as it came. */
export const BodyText = ({ text }: { readonly text: string }) => {
  const pieces = useMemo(() => piecesOf(text), [text])
  if (text === '') return <p className="note">{texts.inspector.noBody}</p>
  return (
    <pre className="body-text">
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

type Piece = { readonly look: 'key' | 'text' | 'value' | 'plain'; readonly text: string }

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export const piecesOf = (text: string): readonly Piece[] => {
  const laidOut = layOut(text)
  if (laidOut === undefined) return [{ look: 'plain', text }]
  const pieces: Piece[] = []
  let end = 0
  for (const match of laidOut.matchAll(TOKEN)) {
    if (match.index > end) pieces.push({ look: 'plain', text: laidOut.slice(end, match.index) })
    const quoted = match[1]
    pieces.push({
      look: quoted === undefined ? 'value' : match[2] === undefined ? 'text' : 'key',
      text: quoted ?? match[0],
    })
    if (match[2] !== undefined) pieces.push({ look: 'plain', text: match[2] })
    end = match.index + match[0].length
  }
  pieces.push({ look: 'plain', text: laidOut.slice(end) })
  return pieces
}

const layOut = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return undefined
  }
}
