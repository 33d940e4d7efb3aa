import { Cloud, Cpu } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ControlPrompt } from '../../src-main/core/contract/control/states.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { useAction } from '../palette/actions.ts'
import { RpMark } from '../ui/marks.tsx'
import { SiteName } from '../ui/site-name.tsx'
import { texts } from '../ui/texts.ts'
import styles from './request-screen.module.css'
import { Touch } from './touch.tsx'
import type { PhoneActions } from './use-phone-actions.ts'

type RequestScreenProps = {
  readonly prompt: ControlPrompt
  readonly actions: PhoneActions
  readonly doing?: 'signing' | 'sending'
  readonly note?: string
}

/** The RP and its request, and a place for the finger. */
export const RequestScreen = ({ prompt, actions, doing, note }: RequestScreenProps) => {
  const words = texts.phone.request
  const rps = useBenchPart((state) => state.rps)
  const registering = prompt.kind === 'registration'
  const [storage, setStorage] = useState(prompt.storage)
  const credential = prompt.credentials?.[0]
  // A different page shows the RP's code: both are named, side by side.
  const relayed = !prompt.rp.origins.includes(prompt.origin)
  const place = useRef<HTMLDivElement>(null)
  const reject = () => actions.reject(prompt)
  useAction('reject', place, doing === undefined ? reject : undefined)
  return (
    <div ref={place} className={styles.request} data-part="request" data-busy={doing !== undefined || undefined}>
      <div className={styles.about}>
        <RpMark variant={rpVariant(rps, prompt.rp.id)} size={38} />
        <h3>{registering ? words.register(prompt.rp.name) : words.signIn(prompt.rp.name)}</h3>
        <dl>
          {relayed ? (
            <>
              <Site name={words.website} origin={prompt.rp.origins[0] ?? ''} />
              <Site name={words.shownBy} origin={prompt.origin} foreign />
            </>
          ) : null}
          <div>
            <dt>{words.account}</dt>
            <dd>{prompt.user.username}</dd>
          </div>
          {relayed ? null : <Site name={words.website} origin={prompt.origin} />}
          {registering || relayed ? null : (
            <div>
              <dt>{words.passkey}</dt>
              <dd>{credential?.name ?? prompt.credential_name}</dd>
            </div>
          )}
        </dl>
        {registering && storage !== undefined ? <StorageChoice value={storage} onPick={setStorage} /> : null}
      </div>
      <div className={styles.act}>
        <Touch
          doing={doing}
          note={note}
          onTouched={() => actions.approve(prompt, registering ? storage : undefined)}
          answersAt={prompt.answers_at}
        />
        <button
          type="button"
          className={styles.reject}
          data-gone={doing !== undefined || undefined}
          disabled={doing !== undefined}
          onClick={reject}
        >
          {words.reject}
        </button>
      </div>
    </div>
  )
}

type SiteProps = { readonly name: string; readonly origin: string; readonly foreign?: boolean }

const Site = ({ name, origin, foreign = false }: SiteProps) => (
  <div data-foreign={foreign || undefined}>
    <dt>{name}</dt>
    <dd data-part="request-site">
      <SiteName origin={origin} />
    </dd>
  </div>
)

type Storage = 'cloud' | 'chip'

/** docs/using/phones.md: the cloud HSM is recommended. */
const RECOMMENDED: Storage = 'cloud'

const STORAGE_ICONS = { cloud: Cloud, chip: Cpu } as const

/** The storage of the new passkey. */
const StorageChoice = ({ value, onPick }: { readonly value: Storage; readonly onPick: (value: Storage) => void }) => {
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
