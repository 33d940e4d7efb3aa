import { Plus, X, Zap } from 'lucide-react'
import type { Scope } from '../../src-main/core/contract/scope.ts'
import type { Data } from '../../src-main/sdk/client.ts'
import { breakSomething } from '../faults/breaking.ts'
import { armedRest } from '../ui/armed-rest.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import styles from './service-faults-panel.module.css'

/** Faults that the service is armed with, towards RPs. */
export const ServiceFaultsPanel = () => {
  const words = texts.console.serviceFaults
  const { act, problem } = useAct()
  const armed = useAsked((client) => client.call('service.faults'))?.faults ?? []
  const disarm = (id: string) => act((client) => client.call('service.disarm', { params: { id } }))
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Button
          small
          look="ghost"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => breakSomething({ of: 'service', anchor: currentTarget })}
        >
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.arm}
        </Button>
      </SectionHead>
      {armed.length === 0 ? <p className="note">{words.none}</p> : null}
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
