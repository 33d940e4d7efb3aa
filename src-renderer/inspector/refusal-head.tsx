import { ShieldX } from 'lucide-react'
import { errorOfCode, errors } from '../../src-main/core/contract/errors.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { reasonIn } from '../../src-main/views/timeline/json-member.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { messages, reasonText } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { useAsked } from '../ui/use-asked.ts'
import type { Exchange } from './exchange-lines.ts'
import explainedHeadStyles from './explained-head.module.css'
import partStyles from './part.module.css'
import styles from './refusal-head.module.css'
import { refusalProof } from './refusal-proof.ts'

/** Why a call was refused: the code's own sentence, received and expected values, and what to do. */
export const RefusalHead = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector.refused
  const skewClock = useBenchPart((state) => state.skewClock)
  const { code } = exchange.response
  const name = errorOfCode(code)
  const keys = useAsked(
    async (client) => (code === errors.unknown_access_key.code ? activeKeys(client) : undefined),
    String(code),
  )
  if (name === undefined) return null
  const reason = reasonIn(exchange.response.body)
  const proof = refusalProof(name, exchange, { skewClock, activeKeys: keys ?? [] })
  return (
    <header className={`${explainedHeadStyles.head} ${styles.head}`} data-part="explained-head">
      <ShieldX size={24} strokeWidth={1.5} aria-hidden="true" />
      <div>
        <h2>{messages.errors[name]}</h2>
        <p>
          <code>{code}</code> {reason === undefined ? null : reasonText(reason)}
        </p>
        {proof === undefined ? null : (
          <dl className={partStyles.compared} data-part="compared">
            <div>
              <dt>{words.received}</dt>
              <dd>{proof.received ?? <i>{words.nothing}</i>}</dd>
            </div>
            {proof.expected === undefined ? null : (
              <div>
                <dt>{words.expected}</dt>
                <dd>{proof.expected}</dd>
              </div>
            )}
          </dl>
        )}
        <p>
          <b>{words.advice}</b> {messages.advice[name]}
        </p>
      </div>
    </header>
  )
}

const activeKeys = async (client: ControlClient): Promise<readonly string[]> => {
  const { rps } = await client.call('rps.list')
  const lists = await Promise.all(rps.map(({ id }) => client.call('keys.list', { params: { rp: id } })))
  return lists.flatMap(({ keys }) => keys.filter(({ state }) => state === 'active').map(({ id }) => id))
}
