import { History, Layers, Plus, RotateCcw, ShieldCheck, SlidersVertical, Smartphone, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import type { ConsolePlace } from '../ui/address.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { RpMark } from '../ui/marks.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { go, useTitle } from '../ui/use-address.ts'
import { useAct } from '../ui/use-asked.ts'
import { ClockPanel } from './clock-panel.tsx'
import { ConditionsPanel } from './conditions-panel.tsx'
import styles from './console-screen.module.css'
import { DevicesPage } from './devices-page.tsx'
import { PhonesPage } from './phones-page.tsx'
import { ProfilePage } from './profile-page.tsx'
import { RootsPage } from './roots-page.tsx'
import { RpPage } from './rp-page.tsx'
import { ServiceFaultsPanel } from './service-faults-panel.tsx'
import { SnapshotsPanel } from './snapshots-panel.tsx'
import { WorkspacesPage } from './workspaces-page.tsx'

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

type ConsoleScreenProps = { readonly place: ConsolePlace | undefined }

const setPlace = (place: ConsolePlace | undefined): void =>
  go({ screen: 'console', ...(place === undefined ? {} : { place }) })

/** All settings. A change applies immediately: there is no Save. */
export const ConsoleScreen = ({ place: chosen }: ConsoleScreenProps) => {
  const words = texts.console
  const rps = useBenchPart((state) => state.rps)
  const phones = useBenchPart((state) => state.phones)
  const overview = useBenchPart((state) => state.overview)
  const first = rps[0]
  const place: ConsolePlace = chosen ?? (first === undefined ? { kind: 'new-rp' } : { kind: 'rp', id: first.id })
  const rp = place.kind === 'rp' ? rps.find(({ id }) => id === place.id) : undefined
  const changed = overview?.profile_changed.length ?? 0
  const services = [
    { kind: 'profile', Icon: SlidersVertical, text: words.profile, count: words.changed(changed) },
    { kind: 'phones', Icon: Smartphone, text: words.phones, count: String(phones.length) },
    { kind: 'devices', Icon: Users, text: words.devices, count: '' },
    { kind: 'roots', Icon: ShieldCheck, text: words.roots, count: '' },
    { kind: 'workspaces', Icon: Layers, text: words.workspaces, count: '' },
    { kind: 'time', Icon: History, text: words.time, count: '' },
  ] as const
  useTitle(
    `${rp?.name ?? services.find(({ kind }) => kind === place.kind)?.text ?? (place.kind === 'rp' ? words.rps : words.addRp)} · ${texts.frame.console}`,
  )
  return (
    <main className={`${styles.console} grid`} data-part="console" data-place={place.kind}>
      <h1 className="unseen">{texts.frame.console}</h1>
      <nav className={`${styles.nav} column`} data-part="console-nav" aria-label={words.nav}>
        <h2>
          {words.rps}
          <IconButton small name={words.addRp} onClick={() => setPlace({ kind: 'new-rp' })}>
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </h2>
        {rps.map((each) => (
          <button
            key={each.id}
            type="button"
            aria-current={each === rp ? 'page' : undefined}
            onClick={() => setPlace({ kind: 'rp', id: each.id })}
          >
            <RpMark variant={rpVariant(rps, each.id)} size={18} />
            <span title={each.name}>{each.name}</span>
          </button>
        ))}
        <h2>{words.service}</h2>
        {services.map(({ kind, Icon, text, count }) => (
          <button
            key={kind}
            type="button"
            className={kind === 'time' ? styles.time : undefined}
            aria-current={place.kind === kind ? 'page' : undefined}
            onClick={() => setPlace({ kind })}
          >
            <Icon {...icon} />
            <span>{text}</span>
            <small>{count}</small>
          </button>
        ))}
        <span className="grow" />
        <ResetBench />
      </nav>
      <div className={`${styles.main} shrinks breaks`} data-part="console-main">
        {rp !== undefined ? (
          <RpPage key={rp.id} rp={rp} part={place.part} onGone={() => setPlace(undefined)} />
        ) : place.kind === 'profile' ? (
          <ProfilePage key={place.id} setting={place.id} />
        ) : place.kind === 'phones' ? (
          <PhonesPage key={place.id} phone={place.id} part={place.part} />
        ) : place.kind === 'devices' ? (
          <DevicesPage />
        ) : place.kind === 'roots' ? (
          <RootsPage />
        ) : place.kind === 'workspaces' ? (
          <WorkspacesPage />
        ) : place.kind === 'rp' ? (
          // The RPs are unknown until the workspace is read.
          <p className="empty">{overview === undefined ? '' : texts.connect.noSuchRp}</p>
        ) : (
          <NewRp onMade={(id) => setPlace({ kind: 'rp', id })} />
        )}
      </div>
      <aside className={`${styles.side} breaks`} aria-label={words.time}>
        <ClockPanel />
        <ConditionsPanel />
        <ServiceFaultsPanel />
        <SnapshotsPanel wanted={place.kind === 'time' ? place.id : undefined} />
      </aside>
    </main>
  )
}

/** A reset cannot be undone, so it asks again. */
const ResetBench = () => {
  const words = texts.console
  const { act } = useAct()
  const [sure, setSure] = useState(false)
  useEffect(() => {
    if (!sure) return
    const timer = setTimeout(() => setSure(false), 5000)
    return () => clearTimeout(timer)
  }, [sure])
  const click = () => {
    if (sure) void act((client) => client.call('workspace.reset', { body: {} }))
    setSure(!sure)
  }
  return (
    <button type="button" data-part="reset-bench" data-sure={sure || undefined} title={words.resetHelp} onClick={click}>
      <RotateCcw size={16} strokeWidth={1.75} aria-hidden="true" />
      {sure ? words.resetSure : words.reset}
    </button>
  )
}

const NewRp = ({ onMade }: { readonly onMade: (id: string) => void }) => {
  const words = texts.console.newRp
  const { act, problem } = useAct()
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
    <form
      className={`${styles.form} column`}
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2>{words.title}</h2>
      {fields.map((field) => (
        <label key={field.text}>
          <b>{field.text}</b>
          <span className="field">
            <input
              aria-label={field.text}
              value={field.value}
              spellCheck={false}
              onChange={(event) => field.set(event.target.value)}
            />
          </span>
          <small>{field.help}</small>
        </label>
      ))}
      <Problem problem={problem} />
      <Button look="primary" type="submit" disabled={name.trim() === '' || rpId === ''}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
        {words.make}
      </Button>
    </form>
  )
}
