import { Cloud, Cpu } from 'lucide-react'
import { texts } from '../ui/texts.ts'
import styles from './storage-choice.module.css'

type Storage = 'cloud' | 'chip'

/** docs/using/phones.md: the cloud HSM is recommended. */
const RECOMMENDED: Storage = 'cloud'

const STORAGE_ICONS = { cloud: Cloud, chip: Cpu } as const

/** Where the new passkey is kept. */
export const StorageChoice = ({
  value,
  onPick,
}: {
  readonly value: Storage
  readonly onPick: (value: Storage) => void
}) => {
  const words = texts.phone
  return (
    <fieldset className={styles.storage} data-part="storage">
      <legend>{words.request.storage}</legend>
      {(['cloud', 'chip'] as const).map((storage) => {
        const Icon = STORAGE_ICONS[storage]
        return (
          <label key={storage}>
            <input
              type="radio"
              name="storage"
              aria-label={words.storage[storage]}
              aria-description={storage === RECOMMENDED ? words.request.recommended : undefined}
              checked={value === storage}
              onChange={() => onPick(storage)}
            />
            <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
            <b>{words.storage[storage]}</b>
            {storage === RECOMMENDED ? <em>{words.request.recommended}</em> : null}
            <small>{words.storageLong[storage]}</small>
          </label>
        )
      })}
    </fieldset>
  )
}
