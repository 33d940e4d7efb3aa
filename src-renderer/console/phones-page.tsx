import { Plus, Smartphone, Trash2, Zap } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { DAY_MS } from '../../src-main/core/protocol/time.ts'
import type { Body } from '../../src-main/sdk/client.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { setBreakTarget } from '../faults/breaking.ts'
import type { PhoneSetting } from '../palette/found/phones.ts'
import { armedRestText } from '../ui/armed-rest.ts'
import {
  Button,
  Chip,
  CommitField,
  IconButton,
  optionsOf,
  Problem,
  Segmented,
  SelectField,
  Switch,
} from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { translateText } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import { useScrollTo } from '../ui/use-led-to.ts'
import styles from './phones-page.module.css'

type PhonesPageProps = {
  /** The phone that the address names; `part` is one of its settings, otherwise its faults are shown. */
  readonly phone: string | undefined
  readonly part: string | undefined
}

export const PhonesPage = ({ phone: wanted, part }: PhonesPageProps) => {
  const words = texts.console.phonesPage
  const phones = useBenchPart((state) => state.phones)
  const { send, problem } = useRunAction()
  const models = useQuery((client) => client.call('catalogue.models'))
  useScrollTo(part === undefined ? undefined : `${wanted}-${part}`, models !== undefined)
  const name = texts.phone.names.find((each) => phones.every((phone) => phone.name !== each)) ?? words.newPhone
  return (
    <>
      <SectionHead of="page" title={texts.console.phones} lead={words.lead}>
        <span className="grow" />
        <Button
          Icon={Plus}
          small
          look="primary"
          onClick={() => send('phones.create', { body: { name } })}
          text={texts.palette.names['add-phone']}
        />
      </SectionHead>
      <Problem problem={problem} />
      {phones.map((phone) => (
        <PhoneCard
          key={phone.id}
          phone={phone}
          part={phone.id === wanted ? (part ?? 'faults') : undefined}
          models={models?.models ?? []}
        />
      ))}
    </>
  )
}

const DELAY_RANGE = { kind: 'whole', least: 0, most: DAY_MS } as const

type PhoneCardProps = {
  /** The part that the address names. If it is the faults, they are open and their field scrolls the card into view. */
  readonly part: string | undefined
  readonly phone: ControlPhone
  readonly models: readonly { readonly name: string; readonly title: string; readonly choices: readonly string[] }[]
}

const PhoneCard = ({ phone, part, models }: PhoneCardProps) => {
  const words = texts.console.phonesPage
  const { send, problem } = useRunAction()
  const arm = useRef<HTMLButtonElement>(null)
  const leadsToFaults = part === 'faults'
  useEffect(() => {
    if (leadsToFaults) arm.current?.scrollIntoView({ block: 'center' })
  }, [leadsToFaults])
  const [sure, setSure] = useState(false)
  const led = (name: PhoneSetting) => ({
    'data-address': `${phone.id}-${name}`,
    'data-led': part === name || undefined,
  })
  const params = { id: phone.id }
  const choices = models.find(({ name }) => name === phone.model)?.choices ?? []
  const patch = (body: Body<'phones.patch'>) => send('phones.patch', { params, body })
  const deeds: readonly Deed[] = [
    phone.signed_in
      ? { route: 'phones.sign-out', text: words.signOut }
      : { route: 'phones.sign-in', text: words.signIn },
    { route: 'phones.sync', text: words.sync },
    { route: 'phones.wipe', text: words.wipe, question: words.wipeSure },
    { route: 'phones.lose', text: words.lose, question: words.loseSure },
  ]
  return (
    <section
      className={`${styles.phoneCard} line-above p-16-0-18`}
      data-part="phone-card"
      aria-label={texts.phone.label(phone.name)}
    >
      <header className="row gap-10">
        <Smartphone className="faint" size={18} />
        <h3 className="text-14 weight-610">{phone.name}</h3>
        <span className="note">
          {phone.account.name} {phone.account.phone}
        </span>
        {phone.lost ? <Chip tone="fail">{texts.phone.lost}</Chip> : null}
        {!phone.lost && !phone.signed_in ? <Chip tone="warn">{texts.phone.signedOut}</Chip> : null}
        <span className="grow" />
        <span className="note" {...led('online')}>
          {words.online}
        </span>
        <Switch
          name={words.onlineOf(phone.name)}
          on={phone.network === 'online'}
          onFlip={(on) => patch({ network: on ? 'online' : 'offline' })}
        />
        <IconButton
          name={sure ? words.removeSure(phone.name) : words.remove(phone.name)}
          look={sure ? 'danger' : 'ghost'}
          onBlur={() => setSure(false)}
          onClick={() => (sure ? send('phones.delete', { params }) : setSure(true))}
        >
          <Trash2 className="faint" />
        </IconButton>
      </header>
      <div className={`${styles.phoneCardGrid} middle grid gap-10-12 starts mt-12`}>
        <span {...led('name')}>{words.name}</span>
        <CommitField
          name={words.nameOf(phone.name)}
          value={phone.name}
          width={200}
          onCommit={(name) => patch({ name })}
        />
        <span {...led('model')}>{words.model}</span>
        <SelectField
          name={words.modelOf(phone.name)}
          width={400}
          value={phone.model}
          options={models.map(({ name, title }) => ({ value: name, text: translateText('phoneModels', name, title) }))}
          onPick={(model) => patch({ model })}
        />
        <span {...led('algorithm')}>{words.algorithm}</span>
        <SelectField
          name={words.algorithmOf(phone.name)}
          width={260}
          value={phone.algorithm ?? ''}
          options={[{ value: '', text: words.algorithmFree }, ...choices.map((value) => ({ value, text: value }))]}
          onPick={(algorithm) => patch({ algorithm: algorithm === '' ? null : algorithm })}
        />
        <span {...led('storage')}>{words.storage}</span>
        <Segmented
          name={words.storageOf(phone.name)}
          value={phone.storage}
          options={optionsOf(['cloud', 'chip'], texts.phone.storage)}
          onPick={(storage) => patch({ storage })}
        />
        <span {...led('answer')}>{words.answer}</span>
        <Segmented
          name={words.answerOf(phone.name)}
          value={phone.behaviour.answer}
          options={optionsOf(['ask', 'approve', 'reject', 'ignore'], words.answers)}
          onPick={(answer) => patch({ behaviour: { ...phone.behaviour, answer } })}
        />
        <span {...led('delay')}>{words.delay}</span>
        <CommitField
          name={words.delayOf(phone.name)}
          mono
          width={120}
          range={DELAY_RANGE}
          unit={texts.console.faults.units.delay_ms}
          value={String(phone.behaviour.delay_ms ?? 0)}
          onCommit={(text) => patch({ behaviour: { ...phone.behaviour, delay_ms: Number(text) } })}
        />
        <span>{texts.phone.set.faults}</span>
        <div className={`${styles.phoneFaults} flex wraps gap-6`}>
          <ArmedFaults
            faults={phone.faults}
            onDisarm={(fault_id) => send('phones.disarm', { params: { id: phone.id, fault_id } })}
          />
          <Button
            Icon={Plus}
            small
            look="ghost"
            ref={arm}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => setBreakTarget({ of: { phone: phone.id }, anchor: currentTarget })}
            text={words.arm}
          />
        </div>
      </div>
      <Problem problem={problem} />
      <div className="flex wraps gap-6 mt-14">
        {deeds.map(({ route, ...deed }) => (
          <DeedButton
            key={route}
            {...deed}
            disabled={phone.lost && route !== 'phones.sign-out'}
            onDo={() => send(route, { params, body: {} })}
          />
        ))}
        <Button
          small
          disabled={phone.lost}
          onClick={() =>
            send('phones.create', { body: { name: words.secondOf(phone.name), same_account_as: phone.id } })
          }
          text={words.second}
        />
      </div>
    </section>
  )
}

type ArmedFaultsProps = { readonly faults: ControlPhone['faults']; readonly onDisarm: (id: string) => void }

const ArmedFaults = ({ faults, onDisarm }: ArmedFaultsProps) =>
  faults.map((fault) => (
    <span
      key={fault.id}
      className="inline-flex small middle gap-5 rounded-6 weight-530 fault bg-fault-soft h-24 p-0-4-0-8"
    >
      <Zap size={11} strokeWidth={2} />
      {fault.fault}
      <small>{armedRestText(fault)}</small>
      <button
        type="button"
        className="fault-hovers rounded-5 leading-16 w-18 h-18"
        aria-label={texts.phone.armed.disarm(fault.fault)}
        onClick={() => onDisarm(fault.id)}
      >
        ×
      </button>
    </span>
  ))

type Deed = {
  readonly route: `phones.${'sign-in' | 'sign-out' | 'sync' | 'wipe' | 'lose'}`
  readonly text: string
  /** Asked by the first click; the second one runs the deed, and leaving the button cancels the first one. */
  readonly question?: string
}

type DeedButtonProps = Omit<Deed, 'route'> & { readonly disabled: boolean; readonly onDo: () => void }

const DeedButton = ({ text, question, disabled, onDo }: DeedButtonProps) => {
  const [asked, setAsked] = useState(false)
  return (
    <Button
      small
      look={asked ? 'danger' : 'default'}
      disabled={disabled}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (asked || question === undefined) onDo()
        setAsked(!asked && question !== undefined)
      }}
      text={asked ? question : text}
    />
  )
}
