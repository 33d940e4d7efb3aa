import { Plus, X } from 'lucide-react'
import { jsonIn } from '../../src-main/protocol/json.ts'
import partStyles from '../inspector/part.module.css'
import { Button, IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import type { Member } from './answer-draft.ts'
import styles from './resend.module.css'

type MemberFieldsProps = {
  readonly members: readonly Member[]
  readonly onChange: (members: readonly Member[]) => void
}

/** The members of the client data; one that is no text is written as JSON. */
export const MemberFields = ({ members, onChange }: MemberFieldsProps) => {
  const words = texts.resend
  const set = (id: number, change: Partial<Member>) =>
    onChange(members.map((member) => (member.id === id ? { ...member, ...change } : member)))
  const id = Math.max(-1, ...members.map((member) => member.id)) + 1
  return (
    <section className={styles.column} aria-label={texts.inspector.partTitles.clientDataJSON}>
      <h3 className={partStyles.head} data-part="part-head">
        {texts.inspector.partTitles.clientDataJSON}
      </h3>
      <div className={styles.fields}>
        <ul className={styles.list} aria-label={words.members}>
          {members.map((member) => (
            <li key={member.id} className={styles.pair} data-member={member.name}>
              <label className="field">
                <input
                  className="mono"
                  aria-label={words.memberName}
                  value={member.name}
                  spellCheck={false}
                  onChange={(event) => set(member.id, { name: event.target.value })}
                />
              </label>
              <label className="field" data-wrong={(member.json && jsonIn(member.text) === undefined) || undefined}>
                <input
                  className="mono"
                  aria-label={words.memberValue(member.name)}
                  aria-invalid={member.json && jsonIn(member.text) === undefined}
                  value={member.text}
                  spellCheck={false}
                  onChange={(event) => set(member.id, { text: event.target.value })}
                />
                {member.name === 'challenge' ? <span className="unit">{words.fresh}</span> : null}
              </label>
              <IconButton
                small
                name={words.remove(member.name)}
                onClick={() => onChange(members.filter((each) => each.id !== member.id))}
              >
                <X size={14} strokeWidth={1.75} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
        <Button look="ghost" small onClick={() => onChange([...members, { id, name: '', text: '', json: false }])}>
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.addMember}
        </Button>
      </div>
    </section>
  )
}
