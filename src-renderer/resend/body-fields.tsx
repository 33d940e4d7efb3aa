import { useState } from 'react'
import partStyles from '../inspector/part.module.css'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { MemberFields } from './member-fields.tsx'
import { type Member, membersIn, textOfMembers } from './members.ts'
import styles from './resend.module.css'

type BodyFieldsProps = { readonly body: string; readonly onBody: (body: string) => void }

/** A body as its text, to the byte, or, where it is a JSON object, as its members. */
export const BodyFields = ({ body, onBody }: BodyFieldsProps) => {
  const words = texts.resend
  const [members, setMembers] = useState<readonly Member[]>()
  const found = membersIn(body)
  const shown = members !== undefined && textOfMembers(members) === textOfMembers(found ?? []) ? members : found
  return (
    <div className={partStyles.wirePart}>
      <h3 className={partStyles.head} data-part="part-head">
        {texts.inspector.body}
        {found === undefined ? null : (
          <span className="push-right">
            <Segmented
              name={words.bodyAs}
              value={members === undefined ? 'text' : 'fields'}
              options={(['text', 'fields'] as const).map((value) => ({ value, text: words.bodyForms[value] }))}
              onPick={(as) => setMembers(as === 'fields' ? found : undefined)}
            />
          </span>
        )}
      </h3>
      {members === undefined || shown === undefined ? (
        <textarea
          className={styles.body}
          aria-label={texts.inspector.body}
          value={body}
          spellCheck={false}
          onChange={(event) => onBody(event.target.value)}
        />
      ) : (
        <div className={styles.fields}>
          <MemberFields
            label={texts.inspector.body}
            members={shown}
            onChange={(next) => {
              setMembers(next)
              onBody(textOfMembers(next))
            }}
          />
        </div>
      )}
    </div>
  )
}
