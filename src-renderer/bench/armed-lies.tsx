import { X, Zap } from 'lucide-react'
import type { ArmedServiceFault } from '../../src-main/contract/control/service-fault-routes.ts'
import { Button } from '../ui/button.tsx'
import { decimalNumber } from '../ui/format.ts'
import { serviceFaultText } from '../ui/messages.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './armed-lies.module.css'
import { useBenchPart } from './use-bench.ts'

/** Over the stage: what the service will get wrong, so that nobody wonders at what it answers. */
export const ArmedLies = () => {
  const words = texts.frame.lies
  const lies = useBenchPart((state) => state.lies)
  const { act, problem } = useAct()
  if (lies.length === 0) return null
  const disarm = (id: string) => void act((client) => client.call('service.disarm', { params: { id } }))
  return (
    <section className={styles.lies} data-part="armed-lies" aria-label={words.title}>
      {lies.map((lie) => (
        <p key={lie.id}>
          <Zap size={13} strokeWidth={2} aria-hidden="true" />
          <span title={serviceFaultText(lie.fault)}>
            {howOften(lie)} <b>{serviceFaultText(lie.fault)}</b> {Object.values(lie.scope ?? {}).join(' ')}
          </span>
          <Button small look="ghost" aria-label={texts.phone.armed.disarm(lie.fault)} onClick={() => disarm(lie.id)}>
            <X size={13} strokeWidth={1.75} aria-hidden="true" />
            {words.disarm}
          </Button>
        </p>
      ))}
      <Problem problem={problem} />
    </section>
  )
}

const howOften = ({ left, probability = 1 }: ArmedServiceFault): string => {
  const words = texts.frame.lies
  if (left === undefined) return words.chance(decimalNumber(probability * 100))
  return left === 1 ? words.once : words.more(left)
}
