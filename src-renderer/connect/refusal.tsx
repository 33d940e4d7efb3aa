import { useEffect } from 'react'
import type { SignatureState } from '../../src-main/core/contract/control/states.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import { jsonMember } from '../../src-main/views/timeline/json-member.ts'
import type { EventOf } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { RefusalHead } from '../inspector/refusal-head.tsx'
import { SignatureHead } from '../inspector/signature-head.tsx'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { useAsked } from '../ui/use-asked.ts'
import styles from './refusal.module.css'

type RefusalProps = {
  readonly seq: number
  readonly stray: boolean
  /** Looks into the call. */
  readonly onLook: (seq: number) => void
}

/** A refused call, explained at its step: what is wrong, what came and what was expected, and the fix. */
export const Refusal = ({ seq, stray, onLook }: RefusalProps) => {
  const words = texts.connect
  const { store } = useTools()
  const event = useBenchPart(() => store.lookUp(seq))
  const missing = event === undefined
  useEffect(() => {
    if (missing) store.want([seq])
  }, [missing, seq, store])
  if (event?.kind !== 'exchange') return null
  return (
    <div className={styles.refusal}>
      {stray ? <p>{words.stray}</p> : null}
      {event.response.code === errors.signature_mismatch.code ? (
        <Mismatch exchange={event} />
      ) : (
        <RefusalHead exchange={event} />
      )}
      <Button look="ghost" small onClick={() => onLook(seq)}>
        {words.look}
      </Button>
    </div>
  )
}

const Mismatch = ({ exchange }: { readonly exchange: EventOf<'exchange'> }) => {
  const { body } = exchange.response
  const explanation = useAsked(
    (client) => client.call('events.signature', { params: { seq: String(exchange.seq) } }),
    String(exchange.seq),
  )
  const data = jsonMember(body, 'data')
  const { canonical_request: canonical = '', strings_to_sign: strings = [] } = (data ?? {}) as {
    readonly canonical_request?: string
    readonly strings_to_sign?: readonly string[]
  }
  const fix = explanation === undefined ? undefined : fixOf(explanation)
  return (
    <>
      <SignatureHead explanation={explanation} computed={{ canonical, toSign: strings[0] ?? '' }} />
      {fix === undefined ? null : (
        <p>
          <b>{texts.inspector.refused.advice}</b> {texts.connect.fix[fix]}
        </p>
      )}
    </>
  )
}

const fixOf = ({ outcome, difference, signed_well }: SignatureState) => {
  if (outcome === 'holds') return 'again'
  if (difference !== undefined) return 'line'
  return signed_well === undefined ? 'secret' : 'body'
}
