import { Star } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import type { RpOperation } from '../../src-main/core/contract/rp/routes.ts'
import { type ServiceFaultName, serviceFaultOf } from '../../src-main/core/contract/service-faults.ts'
import { type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import type { CurrentUser } from '../palette/desk.ts'
import { currentUser } from '../palette/page.ts'
import { pageName } from '../session.ts'
import { messages } from '../ui/messages.ts'
import { rangeText } from '../ui/number-range.ts'
import {
  Button,
  Form,
  IconButton,
  optionsOf,
  Problem,
  Segmented,
  TextField,
  type TextFieldProps,
  Wrong,
} from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo } from '../ui/use-address.ts'
import { useRunAction } from '../ui/use-asked.ts'
import type { BreakTarget } from './breaking.ts'
import * as entries from './fault-entries.ts'
import styles from './fault-row.module.css'

type FaultRowProps = {
  readonly id: string
  readonly entry: entries.FaultEntry
  readonly of: BreakTarget['of']
  /** The phone that has the fault, or the phone on which a fault of the service is tried. */
  readonly phone: ControlPhone | undefined
  readonly open: boolean
  readonly favourite: boolean
  readonly onOpen: () => void
  readonly onFavourite: () => void
  readonly onDone: () => void
}

export const FaultRow = ({ id, entry, of, phone, open, favourite, onOpen, onFavourite, onDone }: FaultRowProps) => {
  const words = texts.breaking
  const { act, problem } = useRunAction()
  const { name, title, should, advice, seen } = entry
  const user = currentUser()
  const serviceFaults = useBenchPart((state) => state.armedFaults)
  /** Other faults that were armed during the trial; remembered, because one-time faults are disarmed by it. */
  const [besides, setBesides] = useState('')
  const canTry = phone !== undefined && !phone.lost
  const arm = armWith(of)
  return (
    <li className={styles.row} data-open={open || undefined}>
      <button
        className="grid rest-and-own gap-2-10 baseline wide text-left inset-focus p-4-14"
        type="button"
        id={id}
        data-fault={name}
        aria-expanded={open}
        onClick={onOpen}
      >
        <span>{title}</span>
        <code className="tiny faint clip max-w-150">{name}</code>
      </button>
      {open ? (
        <div className="p-2-14-10">
          <p className="muted">
            {words.should}
            <b className="weight-600 fault">{messages.shoulds[should]}</b>
            {advice === '' ? null : <small className="small breaks block">{advice}</small>}
          </p>
          <p className="muted mb-6">{messages.seenBy[seen]}</p>
          <FaultForm
            fault={entry}
            onArm={async (armed) => {
              if (await act((client) => arm(client, armed))) onDone()
            }}
            {...(user === undefined || !canTry || entry.ceremony === 'none'
              ? {}
              : {
                  onTry: async (armed) => {
                    setBesides([...serviceFaults, ...phone.faults].map(({ fault }) => fault).join(', '))
                    navigateTo({ screen: 'bench' })
                    const trial = { entry, armed, arm, user, phone, page: pageName() }
                    if (await act((client) => tryFault(client, trial))) onDone()
                  },
                })}
          >
            <IconButton
              name={favourite ? words.unstar(name) : words.star(name)}
              aria-pressed={favourite}
              onClick={onFavourite}
            >
              <Star fill={favourite ? 'currentColor' : 'none'} />
            </IconButton>
          </FaultForm>
          {canTry ? null : <p className="muted">{words.needsPhone}</p>}
          <Problem problem={problem} />
          {problem === undefined || besides === '' ? null : <p className="muted">{words.besides(besides)}</p>}
        </div>
      ) : null}
    </li>
  )
}

const armWith =
  (of: BreakTarget['of']) =>
  (
    client: ControlClient,
    { fault, only, ...how }: entries.ArmBody & { readonly only?: readonly RpOperation[] },
  ): Promise<unknown> =>
    of === 'service'
      ? client.call('service.arm', {
          body: { fault: fault as ServiceFaultName, ...how, ...(only === undefined ? {} : { only }) },
        })
      : client.call('phones.arm', { params: { id: of.phone }, body: { fault, ...how } })

type Trial = {
  readonly entry: entries.FaultEntry
  readonly armed: entries.ArmBody
  readonly arm: ReturnType<typeof armWith>
  readonly user: CurrentUser
  readonly phone: ControlPhone
  readonly page: string
}

const tryFault = async (client: ControlClient, trial: Trial): Promise<void> => {
  const { entry, user, phone } = trial
  const params = { rp: user.rpId }
  if (entry.seen === 'careful' || entry.seen === 'careless') {
    await client.call('simulator.patch', { params, body: { care: entry.seen } })
  }
  const { story = 'sign-in-approved' } = entry
  const registers = entry.story === undefined ? entry.ceremony === 'registration' : story.startsWith('registration')
  const isList = story.startsWith('passkeys')
  if (!registers || story === 'registration-by-stranger') await enrol(client, trial)
  await trial.arm(client, entry.story === undefined ? trial.armed : { ...trial.armed, only: resultsOf(entry) })
  const identity = { user_id: user.userId, username: user.username, asked_by: trial.page }
  if (isList) {
    await client.call('simulator.credentials', { params, query: { user_id: user.userId, asked_by: trial.page } })
    return
  }
  const method = entry.byPush === true ? 'push' : 'qrcode'
  const begun = await refusedOr(
    registers
      ? client.call('simulator.register', { params, body: identity })
      : client.call('simulator.sign-in', { params, body: { ...identity, method } }),
  )
  if (begun === undefined) return
  const { msg_id, url } = begun
  const poll = () => client.call('simulator.poll', { params: { ...params, msg_id } })
  if (entry.story !== undefined) {
    if (story.endsWith('-begun') || story.endsWith('-abandoned')) return
    const { when } = serviceFaultOf(entry.name as ServiceFaultName)
    if (when === 'pending' || when === 'init') await poll()
    if (story.endsWith('-ignored') && when !== 'bind') return
  }
  const at = { params: { id: phone.id } }
  const took = await refusedOr(
    method === 'push'
      ? client.call('phones.open', { ...at, body: { msg_id } })
      : client.call('phones.scan', { ...at, body: { url } }),
  )
  if (took === undefined) return
  if (entry.story !== undefined && serviceFaultOf(entry.name as ServiceFaultName).when === 'bind') {
    await poll()
    if (story.endsWith('-ignored')) return
  }
  if (phone.behaviour.answer !== 'ask') return
  await refusedOr(client.call(story.endsWith('-rejected') ? 'phones.reject' : 'phones.approve', { ...at, body: {} }))
}

/** Ignores refusals: they are the effect of the fault, and bank, phone and timeline show them. */
const refusedOr = async <T,>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call
  } catch (error) {
    if (error instanceof ControlError) return undefined
    throw error
  }
}

/** A fault that affects results too is armed for results only, so that the request begins. */
const resultsOf = ({ name }: entries.FaultEntry): readonly RpOperation[] =>
  serviceFaultOf(name as ServiceFaultName).on.filter((operation) => operation.endsWith('.result'))

/** Registers a passkey if the user has none, because sign-ins need one. */
const enrol = async (client: ControlClient, { user, phone, page }: Trial): Promise<void> => {
  const query = { rp: user.rpId, user_id: user.userId }
  const { credentials } = await client.call('credentials.list', { query })
  if (credentials.length > 0) return
  const params = { rp: user.rpId }
  const body = { user_id: user.userId, username: user.username, asked_by: page, poll: false }
  const { msg_id, url } = await client.call('simulator.register', { params, body })
  const at = { params: { id: phone.id } }
  await client.call('phones.scan', { ...at, body: { url } })
  if (phone.behaviour.answer === 'ask') await client.call('phones.approve', { ...at, body: {} })
  await client.call('simulator.poll', { params: { ...params, msg_id } })
}

type FaultFormProps = {
  readonly fault: entries.TunableFault
  readonly onArm: (wanted: entries.ArmBody) => void
  /** Absent if no ceremony can be played. */
  readonly onTry?: (wanted: entries.ArmBody) => void
  readonly children: ReactNode
}

const FaultForm = ({ fault, onArm, onTry, children }: FaultFormProps) => {
  const words = texts.console.faults
  const [draft, setDraft] = useState(() => entries.createArmDraft(fault))
  const [mistakes, setMistakes] = useState<entries.InvalidFields>({})
  const read = entries.readDraft(draft, fault)
  const change = (to: Partial<entries.ArmDraft>) => {
    setMistakes({})
    setDraft({ ...draft, ...to })
  }
  const check = () => setMistakes(read.ok ? {} : read.error)
  const give = (take: (wanted: entries.ArmBody) => void) => {
    if (read.ok) take(read.value)
    else check()
  }
  const field = (name: string, label: string, value: string, onText: (text: string) => void) => (
    <NamedField
      key={name}
      {...{ label, value, onText }}
      unit={words.units[name] ?? ''}
      mistake={mistakes[name]}
      onBlur={check}
    />
  )
  return (
    <Form className={`${styles.form} middle grid starts`} aria-label={fault.name} onSubmit={() => give(onTry ?? onArm)}>
      <span>{words.often}</span>
      <Segmented
        name={words.often}
        value={draft.often}
        options={optionsOf(entries.FREQUENCIES, words.oftens)}
        onPick={(often) => change({ often })}
      />
      {draft.often === 'times' ? field('times', words.times, draft.times, (times) => change({ times })) : null}
      {draft.often === 'chance' ? field('chance', words.chance, draft.chance, (chance) => change({ chance })) : null}
      {Object.entries(draft.parameters).map(([name, value]) => {
        const write = (text: string) => change({ parameters: { ...draft.parameters, [name]: text } })
        const label = words.parameters[name] ?? name
        return fault.fields[name]?.kind === 'text' ? (
          <NamedField key={name} label={label} value={value} onText={write} />
        ) : (
          field(name, label, value, write)
        )
      })}
      {fault.scoped === undefined ? null : (
        <NamedField label={words.user} value={draft.user} onText={(user) => change({ user })} />
      )}
      <div className="row gap-8 whole-row mt-4">
        {onTry === undefined ? null : <Button type="submit" small look="primary" text={texts.breaking.tryIt} />}
        <Button small {...(onTry === undefined ? { type: 'submit', look: 'primary' } : { onClick: () => give(onArm) })}>
          {words.arm}
        </Button>
        {children}
      </div>
    </Form>
  )
}

type NamedFieldProps = Pick<TextFieldProps, 'value' | 'onText' | 'unit' | 'onBlur'> & {
  readonly label: string
  readonly mistake?: entries.InvalidFields[string] | undefined
}

const NamedField = ({ label, mistake, ...field }: NamedFieldProps) => {
  const id = useId()
  const wrong = mistake !== undefined
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {field.unit === undefined ? (
        <TextField id={id} {...field} />
      ) : (
        <span className={`${styles.field} row wraps gap-4-10`}>
          <TextField
            {...{ id, wrong, ...field }}
            mono
            inputMode="decimal"
            aria-describedby={wrong ? `${id}-wrong` : undefined}
          />
          <Wrong className="small breaks block" id={`${id}-wrong`} text={mistake && rangeText(mistake)} />
        </span>
      )}
    </>
  )
}
