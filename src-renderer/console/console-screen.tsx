import * as icons from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ConditionsState } from '../../src-main/core/contract/control/states.ts'
import type { Scope } from '../../src-main/core/contract/scope.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { type ConditionsName, conditionsName, rpVariant } from '../bench/words.ts'
import { setBreakTarget } from '../faults/breaking.ts'
import type { ConsolePlace } from '../ui/address.ts'
import { armedRestText } from '../ui/armed-rest.ts'
import { useDelete, useDeletions } from '../ui/deletions.tsx'
import { runAfter } from '../ui/effects.ts'
import { dateAndTime } from '../ui/format.ts'
import { Button, Form, IconButton, optionsOf, Problem, RpMark, Segmented, TextField } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo, useTitle } from '../ui/use-address.ts'
import { useQuery, useRepeatedQuery, useRunAction } from '../ui/use-asked.ts'
import { useScrollTo } from '../ui/use-led-to.ts'
import { ClockPanel } from './clock-panel.tsx'
import styles from './console-screen.module.css'
import { DevicesPage } from './devices-page.tsx'
import { PhonesPage } from './phones-page.tsx'
import { ProfilePage } from './profile-page.tsx'
import { RootsPage } from './roots-page.tsx'
import { RpPage } from './rp-page.tsx'
import { WorkspacesPage } from './workspaces-page.tsx'

type ConsoleScreenProps = { readonly place: ConsolePlace | undefined }

const setPlace = (place: ConsolePlace | undefined): void =>
  navigateTo({ screen: 'console', ...(place === undefined ? {} : { place }) })

const NAV_HEAD = 'row between rigid small faint weight-540 h-28 p-0-4-0-10 mb-2'
const NAV_BUTTON = 'row rigid gap-9 muted ink-hovers text-left one-line weight-500 rounded-7 h-32 p-0-10'

type ServicePlace = {
  readonly kind: Exclude<ConsolePlace['kind'], 'rp' | 'new-rp'>
  readonly Icon: icons.LucideIcon
  readonly count?: string
  readonly page?: ReactNode
}

/** A change applies immediately: there is no Save. */
export const ConsoleScreen = ({ place: chosen }: ConsoleScreenProps) => {
  const words = texts.console
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const overview = useBenchPart((state) => state.overview)
  const first = rps[0]
  const place: ConsolePlace = chosen ?? (first === undefined ? { kind: 'new-rp' } : { kind: 'rp', id: first.id })
  const rp = place.kind === 'rp' ? rps.find(({ id }) => id === place.id) : undefined
  const changed = overview?.profile_changed.length ?? 0
  const profilePage = <ProfilePage key={place.id} setting={place.id} />
  const phonesPage = <PhonesPage key={place.id} phone={place.id} part={place.part} />
  const services: readonly ServicePlace[] = [
    { kind: 'profile', Icon: icons.SlidersVertical, count: words.changed(changed), page: profilePage },
    { kind: 'phones', Icon: icons.Smartphone, count: String(phones.length), page: phonesPage },
    { kind: 'devices', Icon: icons.Users, page: <DevicesPage /> },
    { kind: 'roots', Icon: icons.ShieldCheck, page: <RootsPage /> },
    { kind: 'workspaces', Icon: icons.Layers, page: <WorkspacesPage /> },
    { kind: 'time', Icon: icons.History },
  ]
  const title =
    place.kind === 'rp' ? (rp?.name ?? words.rps) : place.kind === 'new-rp' ? words.addRp : words[place.kind]
  useTitle(`${title} · ${texts.frame.console}`)
  return (
    <main className={`${styles.console} grid shortens bg-surface`} data-part="console" data-place={place.kind}>
      <h1 className="unseen">{texts.frame.console}</h1>
      <nav
        className={`${styles.nav} column shortens scrolls-y bg-surface-2 line-right p-12-8`}
        data-part="console-nav"
        aria-label={texts.frame.console}
      >
        <h2 className={NAV_HEAD}>
          {words.rps}
          <IconButton Icon={icons.Plus} name={words.addRp} onClick={() => setPlace({ kind: 'new-rp' })} />
        </h2>
        {rps.map((each) => (
          <button
            key={each.id}
            type="button"
            className={NAV_BUTTON}
            aria-current={each === rp ? 'page' : undefined}
            onClick={() => setPlace({ kind: 'rp', id: each.id })}
          >
            <RpMark variant={rpVariant(rps, each.id)} size={18} />
            <span className="cut ellipsis" title={each.name}>
              {each.name}
            </span>
          </button>
        ))}
        <h2 className={NAV_HEAD}>{words.service}</h2>
        {services.map(({ kind, Icon, count }) => (
          <button
            key={kind}
            type="button"
            className={kind === 'time' ? `${styles.time} ${NAV_BUTTON}` : NAV_BUTTON}
            aria-current={place.kind === kind ? 'page' : undefined}
            onClick={() => setPlace({ kind })}
          >
            <Icon size={16} />
            <span className="cut ellipsis">{words[kind]}</span>
            <small className="small rigid faint weight-430 push-right">{count}</small>
          </button>
        ))}
        <span className="grow" />
        <ResetBench />
      </nav>
      <div className={`${styles.main} shrinks breaks relative scrolls-y p-24-32-40`} data-part="console-main">
        {rp !== undefined ? (
          <RpPage key={rp.id} rp={rp} part={place.part} onGone={() => setPlace(undefined)} />
        ) : place.kind === 'rp' ? (
          // The RPs are unknown until the workspace is read.
          <p className="empty">{overview === undefined ? '' : texts.connect.noSuchRp}</p>
        ) : (
          (services.find(({ kind }) => kind === place.kind)?.page ?? (
            <NewRp onMade={(id) => setPlace({ kind: 'rp', id })} />
          ))
        )}
      </div>
      <aside className={`${styles.side} divided shortens breaks relative scrolls-y line-left`} aria-label={words.time}>
        <ClockPanel />
        <ConditionsPanel />
        <ServiceFaultsPanel />
        <SnapshotsPanel wanted={place.kind === 'time' ? place.id : undefined} />
      </aside>
    </main>
  )
}

/** A reset cannot be undone, so it needs a confirmation. */
const ResetBench = () => {
  const words = texts.console
  const { send } = useRunAction()
  const [sure, setSure] = useState(false)
  useEffect(() => (sure ? runAfter(5000, () => setSure(false)) : undefined), [sure])
  const click = () => {
    if (sure) send('workspace.reset', { body: {} })
    setSure(!sure)
  }
  return (
    <button
      type="button"
      className={NAV_BUTTON}
      data-part="reset-bench"
      data-sure={sure || undefined}
      title={words.resetHelp}
      onClick={click}
    >
      <icons.RotateCcw size={16} />
      {sure ? words.resetSure : texts.palette.names.reset}
    </button>
  )
}

const NewRp = ({ onMade }: { readonly onMade: (id: string) => void }) => {
  const words = texts.console.newRp
  const { act, problem } = useRunAction()
  const [name, setName] = useState('')
  const [rpId, setRpId] = useState('localhost')
  const [origin, setOrigin] = useState(location.origin)
  const fields = [
    { text: words.name, help: words.nameHelp, value: name, set: setName },
    { text: words.rpId, help: words.rpIdHelp, value: rpId, set: setRpId },
    { text: words.origin, help: words.originHelp, value: origin, set: setOrigin },
  ]
  const make = () =>
    act(async (client) => {
      const rp = await client.call('rps.create', { body: { name, rp_id: rpId, origins: [origin] } })
      await client.call('keys.create', { params: { rp: rp.id }, body: {} })
      onMade(rp.id)
    })
  return (
    <Form className="column top gap-16 max-w-420" onSubmit={make}>
      <h2 className="page-title">{words.title}</h2>
      {fields.map((field) => (
        <label className="grid gap-4 stretches" key={field.text}>
          <b className="weight-560">{field.text}</b>
          <TextField aria-label={field.text} value={field.value} onText={field.set} />
          <small className="small faint">{field.help}</small>
        </label>
      ))}
      <Problem problem={problem} />
      <Button
        Icon={icons.Plus}
        look="primary"
        type="submit"
        disabled={name.trim() === '' || rpId === ''}
        text={words.make}
      />
    </Form>
  )
}

type Side = keyof ConditionsState & ('rp' | 'app')

const NORMAL = { latency_ms: 0, fail_next: 0, fail_percent: 0, lose_next: 0, lose_percent: 0 } as const

const PRESETS = {
  normal: { Icon: icons.Wifi, order: NORMAL },
  slow: { Icon: icons.Timer, order: { ...NORMAL, latency_ms: 400 } },
  unreliable: { Icon: icons.WifiLow, order: { ...NORMAL, latency_ms: 200, lose_percent: 20 } },
  outage: { Icon: icons.WifiOff, order: { ...NORMAL, latency_ms: 800, lose_percent: 10, fail_percent: 30 } },
} as const satisfies Record<ConditionsName, unknown>

const SLIDERS = [
  { key: 'latency_ms', max: 5000, step: 50, unit: 'ms' },
  { key: 'lose_percent', max: 100, step: 1, unit: '%' },
  { key: 'fail_percent', max: 100, step: 1, unit: '%' },
] as const

const ConditionsPanel = () => {
  const words = texts.console.conditions
  const overview = useBenchPart((state) => state.overview)
  const { send, problem } = useRunAction()
  const [side, setSide] = useState<Side>('rp')
  const conditions = overview?.conditions
  if (conditions === undefined) return null
  const current = conditionsName(conditions)
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <span className="note balanced">{words.everyRequest}</span>
      </SectionHead>
      <div className={`${styles.presets} grid gap-6 m-10-0-12`} role="radiogroup" aria-label={words.title}>
        {(Object.keys(PRESETS) as ConditionsName[]).map((name) => {
          const { Icon, order } = PRESETS[name]
          return (
            <label className="choice column middle small muted weight-520 gap-4 p-9-0-7 rounded-9 outlined" key={name}>
              <input
                type="radio"
                name="conditions"
                checked={name === current}
                onChange={() => send('conditions.put', { body: { rp: order, app: order } })}
              />
              <Icon size={18} />
              {texts.frame.conditions[name]}
            </label>
          )
        })}
      </div>
      <Segmented name={words.side} value={side} options={optionsOf(['rp', 'app'], words)} onPick={setSide} />
      {SLIDERS.map(({ key, ...range }) => (
        <Slider
          key={`${side}.${key}`}
          name={words.sliders[key]}
          value={conditions[side][key]}
          {...range}
          onSet={(value) => send('conditions.patch', { body: { [side]: { [key]: value } } })}
        />
      ))}
      <Problem problem={problem} />
    </section>
  )
}

type SliderProps = {
  readonly name: string
  readonly value: number
  readonly max: number
  readonly step: number
  readonly unit: string
  readonly onSet: (value: number) => void
}

/** Applies its value when the user releases it. */
const Slider = ({ name, value, max, step, unit, onSet }: SliderProps) => {
  const [draft, setDraft] = useState<number>()
  const shown = draft ?? value
  const commit = () => {
    if (draft !== undefined && draft !== value) onSet(draft)
    setDraft(undefined)
  }
  return (
    <label className={`${styles.slider} middle grid muted h-30`}>
      <span>{name}</span>
      <input
        type="range"
        min={0}
        max={max}
        step={step}
        value={Math.min(shown, max)}
        style={{ '--part': `${(Math.min(shown, max) / max) * 100}%` } as React.CSSProperties}
        onChange={(event) => setDraft(Number(event.target.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
      />
      <b className="text-right ink">
        {shown} {unit}
      </b>
    </label>
  )
}

const ServiceFaultsPanel = () => {
  const words = texts.console.serviceFaults
  const { act, problem } = useRunAction()
  const armed = useQuery((client) => client.call('service.faults'))?.faults ?? []
  const disarm = (id: string) => act((client) => client.call('service.disarm', { params: { id } }))
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Button
          Icon={icons.Plus}
          small
          look="ghost"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => setBreakTarget({ of: 'service', anchor: currentTarget })}
          text={words.arm}
        />
      </SectionHead>
      {armed.length === 0 ? <p className="note balanced mt-12">{words.none}</p> : null}
      <ul aria-label={words.armed}>
        {armed.map((each) => (
          <li className="row gap-8 mt-6 p-4-4-4-10 fault bg-fault-soft rounded-8" key={each.id}>
            <icons.Zap size={12} strokeWidth={2} />
            <span className="fill breaks">
              <b className="small block weight-530">{each.fault}</b>
              <small className="block small muted">
                {[armedRestText(each, 'answers'), ...scopeTexts(each.scope)].join(texts.inspector.verdict.comma)}
              </small>
            </span>
            <IconButton
              Icon={icons.X}
              name={texts.phone.armed.disarm(each.fault)}
              onClick={() => void disarm(each.id)}
            />
          </li>
        ))}
      </ul>
      <Problem problem={problem} />
    </section>
  )
}

const scopeTexts = (scope: Scope = {}): readonly string[] => Object.values(scope).map((value) => String(value))

const SnapshotsPanel = ({ wanted }: { readonly wanted: string | undefined }) => {
  const words = texts.console.snapshots
  const { act, send, problem } = useRunAction()
  const { undone } = useDeletions()
  const [name, setName] = useState<string>()
  const [answer, again] = useRepeatedQuery((client) => client.call('snapshots.list'), undone)
  useScrollTo(wanted, answer !== undefined)
  const take = async () => {
    const body = name === undefined || name.trim() === '' ? {} : { name: name.trim() }
    if (again(await act((client) => client.call('snapshots.create', { body })))) setName(undefined)
  }
  const drop = useDelete('snapshots', act, again)
  const list = answer?.snapshots ?? []
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Button
          Icon={icons.Plus}
          small
          look="ghost"
          onClick={() => setName(name === undefined ? '' : undefined)}
          text={words.take}
        />
      </SectionHead>
      {name === undefined ? null : (
        <Form className="flex gap-6 mt-10" onSubmit={take}>
          <TextField
            name={words.name}
            className="grow"
            autoFocus
            placeholder={words.name}
            value={name}
            onText={setName}
          />
          <Button type="submit" text={words.keep} />
        </Form>
      )}
      <Problem problem={problem} />
      {list.length === 0 && name === undefined ? <p className="note balanced mt-12">{words.none}</p> : null}
      <ul className="divided">
        {list.map((each) => (
          <li
            key={each.id}
            className="row gap-6 p-8-0"
            data-address={each.id}
            data-led={each.id === wanted || undefined}
          >
            <span className="fill">
              <b className="block cut ellipsis weight-560">{each.name}</b>
              <small className="small faint">{dateAndTime(each.created_at)}</small>
            </span>
            <IconButton Icon={icons.Trash2} name={texts.deleted.delete(each.name)} onClick={() => void drop(each)} />
            <Button
              small
              aria-label={words.restoreNamed(each.name)}
              onClick={() => send('snapshots.restore', { params: { id: each.id }, body: {} })}
              text={words.restore}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
