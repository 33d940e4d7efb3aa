import partStyles from '../inspector/part.module.css'
import { texts } from '../ui/texts.ts'
import { type AnswerDraft, HEX_FIELDS, isCounter } from './answer-draft.ts'
import { withFields } from './draft-changes.ts'
import { HexArea } from './hex-area.tsx'
import styles from './resend.module.css'

/** WebAuthn §6.1, from the lowest bit. */
const FLAGS = ['UP', 'RFU1', 'UV', 'BE', 'BS', 'RFU2', 'AT', 'ED'] as const

type AuthenticatorFieldsProps = {
  readonly draft: AnswerDraft
  readonly onChange: (draft: AnswerDraft) => void
}

/** The authenticator data, field by field. */
export const AuthenticatorFields = ({ draft, onChange }: AuthenticatorFieldsProps) => {
  const words = texts.resend
  const { flags, counter, hex } = draft
  const set = (change: Parameters<typeof withFields>[1]) => onChange(withFields(draft, change))
  return (
    <section className={styles.column} aria-label={texts.inspector.partTitles.authenticatorData}>
      <h3 className={partStyles.head} data-part="part-head">
        {texts.inspector.partTitles.authenticatorData}
      </h3>
      <div className={styles.fields}>
        {flags === undefined ? (
          <p className="note">{words.noFields}</p>
        ) : (
          <fieldset className={styles.flags}>
            <legend>{words.flags}</legend>
            {FLAGS.map((name, bit) => (
              <label key={name} title={texts.inspector.flags[name]}>
                <input
                  type="checkbox"
                  checked={(flags & (1 << bit)) !== 0}
                  onChange={() => set({ flags: flags ^ (1 << bit) })}
                />
                <code>{name}</code>
              </label>
            ))}
          </fieldset>
        )}
        {counter === undefined ? null : (
          <label className={styles.named}>
            <span>{words.counter}</span>
            <span className="field" data-wrong={!isCounter(counter) || undefined}>
              <input
                className="mono"
                inputMode="numeric"
                aria-invalid={!isCounter(counter)}
                value={counter}
                onChange={(event) => set({ counter: event.target.value.trim() })}
              />
              <span className="unit">{words.fresh}</span>
            </span>
          </label>
        )}
        {HEX_FIELDS.map((name) => {
          const value = hex[name]
          if (value === undefined) return null
          return (
            <div key={name} className={styles.named}>
              <span aria-hidden="true">{words.hexFields[name]}</span>
              <HexArea
                name={words.hexFields[name]}
                value={value}
                onChange={(text) => set({ hex: { ...hex, [name]: text } })}
              />
            </div>
          )
        })}
      </div>
    </section>
  )
}
