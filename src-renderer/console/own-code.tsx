import { useBenchPart } from '../bench/use-bench.ts'
import { storedToken } from '../session.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import styles from './own-code.module.css'

/** The way from clicking to calling: where the interfaces are, and a first call that works as it stands. */
export const OwnCode = () => {
  const words = texts.console.ownCode
  const overview = useBenchPart((state) => state.overview)
  if (overview === undefined) return null
  const { base_url, control_url } = overview.addresses
  const call = (token: string): string => `curl -H 'Authorization: Bearer ${token}' ${control_url}/overview`
  const rows = [
    { name: 'base_url', says: words.base, text: base_url, copied: base_url },
    { name: 'control_url', says: words.control, text: control_url, copied: control_url },
    { name: words.call, says: words.callSays, text: call('…'), copied: call(storedToken() ?? '') },
    { name: words.scenario, says: words.scenarioSays, text: 'npx handset run FILE.yaml', copied: 'npx handset run ' },
  ]
  return (
    <section className={styles.ownCode} aria-label={words.title}>
      <SectionHead title={words.title} />
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
