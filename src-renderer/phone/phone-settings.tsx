import { X, Zap } from 'lucide-react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { breakSomething } from '../faults/breaking.ts'
import { armedRest } from '../ui/armed-rest.ts'
import { Segmented } from '../ui/segmented.tsx'
import { Switch } from '../ui/switch.tsx'
import { texts } from '../ui/texts.ts'
import phoneButtonStyles from './phone-button.module.css'
import { Glass } from './phone-screen.tsx'
import styles from './phone-settings.module.css'
import type { PhoneActions } from './use-phone-actions.ts'

type PhoneSettingsProps = {
  readonly phone: ControlPhone
  readonly actions: PhoneActions
  readonly onClose: () => void
}

export const PhoneSettings = ({ phone, actions, onClose }: PhoneSettingsProps) => {
  const words = texts.phone.set
  return (
    <Glass phone={phone} look="app">
      <div className={`${styles.settings} column grow`}>
        <h3>{words.title}</h3>
        <div className={styles.setting}>
          <span>{words.account}</span>
          <b>
            {phone.account.name} <small>{phone.account.phone}</small>
          </b>
        </div>
        <div className={styles.setting}>
          <span>{words.online}</span>
          <Switch
            name={words.online}
            on={phone.network === 'online'}
            onFlip={(online) =>
              void actions.arming((client, id) =>
                client.call('phones.patch', { params: { id }, body: { network: online ? 'online' : 'offline' } }),
              )
            }
          />
        </div>
        <div className={styles.setting} data-tall>
          <span>{words.storage}</span>
          <Segmented
            name={words.storage}
            value={phone.storage}
            options={(['cloud', 'chip'] as const).map((value) => ({ value, text: words.storageShort[value] }))}
            onPick={(storage) =>
              void actions.arming((client, id) => client.call('phones.patch', { params: { id }, body: { storage } }))
            }
          />
        </div>
        <div className={styles.setting} data-tall>
          <span>{words.answer}</span>
          <Segmented
            name={words.answer}
            value={phone.behaviour.answer}
            options={(['ask', 'approve', 'reject', 'ignore'] as const).map((value) => ({
              value,
              text: words.answers[value],
            }))}
            onPick={(answer) =>
              void actions.arming((client, id) =>
                client.call('phones.patch', { params: { id }, body: { behaviour: { ...phone.behaviour, answer } } }),
              )
            }
          />
        </div>
        <div className={styles.setting}>
          <span>{words.faults}</span>
          <button
            type="button"
            className={`${styles.arm} row small`}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => breakSomething({ of: { phone: phone.id }, anchor: currentTarget })}
          >
            <Zap size={12} strokeWidth={2} aria-hidden="true" />
            {words.armOne}
          </button>
        </div>
        {phone.faults.length === 0 ? null : <Armed phone={phone} actions={actions} />}
        <button type="button" className={phoneButtonStyles.button} data-part="phone-button" onClick={onClose}>
          {texts.phone.done}
        </button>
      </div>
    </Glass>
  )
}

/** Armed faults, for how long, and a way to disarm them. */
const Armed = ({ phone, actions }: Pick<PhoneSettingsProps, 'phone' | 'actions'>) => (
  <ul className={`${styles.armed} grid`} aria-label={texts.phone.set.faults}>
    {phone.faults.map((armed) => (
      <li key={armed.id}>
        <b>{armed.fault}</b>
        <small>{armedRest(armed)}</small>
        <button
          type="button"
          aria-label={texts.phone.armed.disarm(armed.fault)}
          onClick={() =>
            void actions.arming((client, id) => client.call('phones.disarm', { params: { id, fault_id: armed.id } }))
          }
        >
          <X size={13} strokeWidth={2} aria-hidden="true" />
        </button>
      </li>
    ))}
  </ul>
)
