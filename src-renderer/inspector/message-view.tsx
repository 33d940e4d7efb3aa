import { FileSearch } from 'lucide-react'
import { useMemo } from 'react'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import { type GivenTexts, inspectText } from '../inspect/inspected.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { byteCount } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { piecesOf } from './json-pieces.ts'
import styles from './message-view.module.css'
import partStyles from './part.module.css'
import { mayUnfold, Unfold } from './unfold.tsx'

type MessageViewProps = {
  readonly first: string
  readonly headers: readonly HeaderPair[]
  readonly body: string
  readonly bytes: number
  /** The whole, as it is inspected elsewhere; absent where it cannot be. */
  readonly inspected?: InspectedMessage | undefined
}

export type InspectedMessage = { readonly text: string; readonly given: GivenTexts }

/** A request or a response as it was on the wire: headers at the left, body at the right. */
export const MessageView = ({ first, headers, body, bytes, inspected }: MessageViewProps) => {
  const words = texts.inspector
  return (
    <div className={partStyles.wireParts} data-part="wire-parts">
      <div className={partStyles.wirePart}>
        <h3 className={partStyles.head} data-part="part-head">
          {words.headers}
          {inspected === undefined ? null : (
            <Button
              small
              look="ghost"
              onClick={() => {
                inspectText(inspected.text, inspected.given)
                go({ screen: 'inspect' })
              }}
            >
              <FileSearch size={13} strokeWidth={1.75} aria-hidden="true" />
              {words.unfold.inspect}
            </Button>
          )}
        </h3>
        <p className={styles.wireFirst}>
          <code>{first}</code>
        </p>
        <dl className={styles.wireHeaders}>
          {headers.map(([name, value], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may stand twice.
            <div key={i}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={partStyles.wirePart}>
        <h3 className={partStyles.head} data-part="part-head">
          {words.body}
          <span>{byteCount(bytes)}</span>
          {body === '' ? null : <CopyButton name={words.copy} text={body} iconOnly />}
        </h3>
        <BodyText text={body} />
      </div>
    </div>
  )
}

const unquoted = (written: string): string => String(JSON.parse(written))

/** A body: JSON laid out and coloured by kind, anything else unchanged. */
const BodyText = ({ text }: { readonly text: string }) => {
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
