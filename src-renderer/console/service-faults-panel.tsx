import { Plus, X, Zap } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Scope } from '../../src-main/contract/scope.ts'
import type { ServiceFaultName } from '../../src-main/contract/service-faults.ts'
import type { Data } from '../../src-main/sdk/client.ts'
import { armedRest } from '../ui/armed-rest.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { serviceFaultText } from '../ui/messages.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import { FaultSearch, faultsWith } from './fault-search.tsx'
import styles from './service-faults-panel.module.css'

/** What the service is told to get wrong towards RPs. */
export const ServiceFaultsPanel = () => {
  const words = texts.console.serviceFaults
  const { act, problem } = useAct()
  const [choosing, setChoosing] = useState(false)
  const armed = useAsked((client) => client.call('service.faults'))?.faults ?? []
  const arm = async (fault: ServiceFaultName, user_id: string) => {
    const scope = user_id === '' ? {} : { scope: { user_id } }
    if (await act((client) => client.call('service.arm', { body: { fault, ...scope } }))) setChoosing(false)
  }
  const disarm = (id: string) => act((client) => client.call('service.disarm', { params: { id } }))
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Button small look="ghost" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.arm}
        </Button>
      </SectionHead>
      {armed.length === 0 && !choosing ? <p className="note">{words.none}</p> : null}
      <ul className={styles.armed} aria-label={words.armed}>
        {armed.map((each) => (
          <li key={each.id}>
            <Zap size={12} strokeWidth={2} aria-hidden="true" />
            <span>
              <b>{each.fault}</b>
              <small>{[restOf(each), ...scopeTexts(each.scope)].join(texts.phone.armed.comma)}</small>
            </span>
            <IconButton small name={texts.phone.armed.disarm(each.fault)} onClick={() => void disarm(each.id)}>
              <X size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ul>
      {choosing ? <Chooser onArm={(fault, user) => void arm(fault, user)} onClose={() => setChoosing(false)} /> : null}
      <Problem problem={problem} />
    </section>
  )
}

type Armed = Data<'service.faults'>['faults'][number]

const restOf = ({ id, fault, left, probability }: Armed): string =>
  armedRest(
    {
      id,
      fault,
      ...(left === undefined ? {} : { left }),
      ...(probability === undefined ? {} : { probability }),
    },
    'answers',
  )

const scopeTexts = (scope: Scope = {}): readonly string[] => Object.values(scope).map((value) => String(value))

type ChooserProps = {
  readonly onArm: (fault: ServiceFaultName, user_id: string) => void
  readonly onClose: () => void
}

/** Finds a fault by its name or by what the service gets wrong. A click arms it once. */
const Chooser = ({ onArm, onClose }: ChooserProps) => {
  const words = texts.console.serviceFaults
  const all = useAsked((client) => client.call('catalogue.service-faults'))?.faults ?? []
  const [wanted, setWanted] = useState('')
  const [user, setUser] = useState('')
  const found = faultsWith(wanted, all, serviceFaultText)
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape bubbles up from what has the focus in here.
    <div className={styles.chooser} onKeyDown={leave}>
      <FaultSearch label={words.search(all.length)} value={wanted} onChange={setWanted} />
      <label className="field" data-quiet>
        <input
          aria-label={words.user}
          placeholder={words.user}
          value={user}
          onChange={(event) => setUser(event.target.value)}
        />
      </label>
      <ul aria-label={words.list}>
        {found.map(({ name, harm }) => (
          <li key={name}>
            <button type="button" onClick={() => onArm(name as ServiceFaultName, user.trim())}>
              <span>{serviceFaultText(name)}</span>
              <code>{name}</code>
              <small data-harm={harm}>{words.harms[harm]}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
