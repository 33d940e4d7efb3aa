import styles from './switch.module.css'

type SwitchProps = { readonly name: string; readonly on: boolean; readonly onFlip: (on: boolean) => void }

export const Switch = ({ name, on, onFlip }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    className={`${styles.switch} rigid relative`}
    aria-label={name}
    aria-checked={on}
    onClick={() => onFlip(!on)}
  />
)
