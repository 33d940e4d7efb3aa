import { texts } from '../ui/texts.ts'
import { isHex } from './answer-draft.ts'
import styles from './resend.module.css'

type HexAreaProps = {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
}

/** Editable bytes; text that is no hex is marked immediately. */
export const HexArea = ({ name, value, onChange, rows = 2 }: HexAreaProps) => {
  const wrong = !isHex(value)
  return (
    <span className={styles.hex}>
      <textarea
        aria-label={name}
        aria-invalid={wrong}
        rows={rows}
        value={value}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {wrong ? <small role="alert">{texts.resend.noHex}</small> : null}
    </span>
  )
}
