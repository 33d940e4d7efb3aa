import { Plug } from 'lucide-react'
import { signingLine } from '../../src-main/views/code/signing-line.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAsked } from '../ui/use-asked.ts'
import styles from './own-code.module.css'

/** The way from clicking to calling: where the interfaces are, and a first request as the RP signs it. */
export const OwnCode = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.console.ownCode
  const overview = useBenchPart((state) => state.overview)
  const answer = useAsked((client) => client.call('keys.list', { params: { rp: rpId } }), rpId)
  if (overview === undefined || answer === undefined) return null
  const { base_url, control_url } = overview.addresses
  const key = answer.keys.find(({ state }) => state === 'active')?.id ?? 'ID'
  const call = signingLine({ key, method: 'GET', url: `${base_url}/rp/credentials?user_id=alice` })
  const rows = [
    { name: 'base_url', says: words.base, text: base_url, copied: base_url },
    { name: 'control_url', says: words.control, text: control_url, copied: control_url },
    { name: words.call, says: words.callSays, text: call, copied: call },
    { name: words.scenario, says: words.scenarioSays, text: 'npx handset run FILE.yaml', copied: 'npx handset run ' },
  ]
  return (
    <section className={styles.ownCode} aria-label={words.title}>
      <SectionHead title={words.title}>
        <Button small onClick={() => go({ screen: 'bench', connect: { rp: rpId } })}>
          <Plug size={14} strokeWidth={1.75} aria-hidden="true" />
          {texts.connect.title}
        </Button>
      </SectionHead>
      <dl>
        {rows.map(({ name, says, text, copied }) => (
          <div key={name}>
            <dt>
              {name}
              <small>{says}</small>
            </dt>
            <dd>
              <code>{text}</code>
              <CopyButton name={words.copy(name)} text={copied} iconOnly />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
