import type { HeaderPair } from '../../src-main/protocol/canonical-request.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { byteCount } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import { BodyText } from './json-text.tsx'
import styles from './message-view.module.css'
import partStyles from './part.module.css'

type MessageViewProps = {
  readonly first: string
  readonly headers: readonly HeaderPair[]
  readonly body: string
  readonly bytes: number
}

/** A request or a response as it was on the wire: headers at the left, body at the right. */
export const MessageView = ({ first, headers, body, bytes }: MessageViewProps) => {
  const words = texts.inspector
  return (
    <div className={partStyles.wireParts} data-part="wire-parts">
      <div className={partStyles.wirePart}>
        <h3 className={partStyles.head} data-part="part-head">
          {words.headers}
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
