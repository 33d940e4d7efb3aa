import { X, Zap } from 'lucide-react'
import type { ArmedServiceFault } from '../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { Button } from '../ui/button.tsx'
import { decimalNumber } from '../ui/format.ts'
import { faultText, serviceFaultText } from '../ui/messages.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './armed-lies.module.css'
import { useBenchPart } from './use-bench.ts'

type Lie = {
  readonly id: string
  readonly fault: string
  readonly often: string
  readonly what: string
  readonly whom: string
  readonly disarm: (client: ControlClient) => Promise<unknown>
}

/** Lists the armed faults of the service and the phones above the panes, so that their answers surprise no user. */
export const ArmedLies = () => {
  const words = texts.frame.lies
  const ofService = useBenchPart((state) => state.lies)
  const phones = useBenchPart((state) => state.phones)
  const { act, problem } = useAct()
  const lies = [...ofService.map(lieOfService), ...phones.flatMap(liesOfPhone)]
  if (lies.length === 0) return null
  const disarm = (which: readonly Lie[]) =>
    void act(async (client) => {
      for (const each of which) await each.disarm(client)
    })
  return (
    <section className={styles.lies} data-part="armed-lies" aria-label={words.title}>
      {lies.map((lie) => (
        <p key={lie.id}>
          <Zap size={13} strokeWidth={2} aria-hidden="true" />
          <span title={`${lie.what} (${lie.fault})`}>
            {lie.often} <b>{lie.what}</b> {lie.whom}
          </span>
          <Button small look="ghost" aria-label={texts.phone.armed.disarm(lie.fault)} onClick={() => disarm([lie])}>
            <X size={13} strokeWidth={1.75} aria-hidden="true" />
            {words.disarm}
          </Button>
        </p>
      ))}
      {lies.length < 2 ? null : (
        <p>
          <Button small look="ghost" className="push-right" onClick={() => disarm(lies)}>
            {words.disarmAll(lies.length)}
          </Button>
        </p>
      )}
      <Problem problem={problem} />
    </section>
  )
}

const lieOfService = (lie: ArmedServiceFault): Lie => ({
  id: lie.id,
  fault: lie.fault,
  often: howOften(texts.frame.lies.service, lie),
  what: serviceFaultText(lie.fault),
  whom: Object.values(lie.scope ?? {}).join(' '),
  disarm: (client) => client.call('service.disarm', { params: { id: lie.id } }),
})

const liesOfPhone = ({ id, name, faults }: ControlPhone): readonly Lie[] =>
  faults.map((lie) => ({
    id: lie.id,
    fault: lie.fault,
    often: howOften(texts.frame.lies.phone(name), lie),
    what: faultText(lie.fault),
    whom: '',
    disarm: (client) => client.call('phones.disarm', { params: { id, fault_id: lie.id } }),
  }))

const howOften = (who: string, { left, probability = 1 }: Pick<ArmedServiceFault, 'left' | 'probability'>): string => {
  const words = texts.frame.lies
  if (left === undefined)
    return probability === 1 ? words.always(who) : words.chance(who, decimalNumber(probability * 100))
  return left === 1 ? words.once(who) : words.more(who, left)
}
