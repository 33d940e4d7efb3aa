import { Plug, Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { RpState } from '../../src-main/core/contract/control/states.ts'
import { isOrigin } from '../../src-main/core/contract/profile.ts'
import { signingLine } from '../../src-main/views/code/signing-line.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CommitField } from '../ui/commit-field.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { RpMark } from '../ui/marks.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import { Credentials } from './credentials.tsx'
import { KeysTable } from './keys-table.tsx'
import styles from './rp-page.module.css'

type RpPageProps = {
  readonly rp: RpState
  /** The access key that the address leads to. */
  readonly part: string | undefined
  readonly onGone: () => void
}

/** One relying party: its name, its origins, and its access keys. */
export const RpPage = ({ rp, part, onGone }: RpPageProps) => {
  const words = texts.console.rp
  const rps = useBenchPart((state) => state.rps)
  const { act, problem } = useAct()
  const [sure, setSure] = useState(false)
  const patch = (body: { readonly name?: string; readonly rp_id?: string; readonly origins?: readonly string[] }) =>
    act((client) => client.call('rps.patch', { params: { rp: rp.id }, body }))
  const remove = async () => {
    if (!sure) setSure(true)
    else if (await act((client) => client.call('rps.delete', { params: { rp: rp.id } }))) onGone()
  }
  return (
    <>
      <header className={styles.head}>
        <RpMark variant={rpVariant(rps, rp.id)} size={36} />
        <div>
          <h2>{rp.name}</h2>
          <p>
            {words.rpId} <code>{rp.rp_id}</code>
          </p>
        </div>
        <PageLink title={rp.name} />
        <Button look={sure ? 'danger' : 'ghost'} onBlur={() => setSure(false)} onClick={() => void remove()}>
          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
          {sure ? words.removeSure : words.remove}
        </Button>
      </header>
      <div className={styles.fields}>
        <span>
          {words.name}
          <CommitField name={words.name} value={rp.name} width={220} onCommit={(name) => void patch({ name })} />
        </span>
        <span>
          {words.rpId}
          <CommitField
            name={words.rpId}
            value={rp.rp_id}
            mono
            width={240}
            onCommit={(rp_id) => void patch({ rp_id })}
          />
        </span>
      </div>
      <Origins origins={rp.origins} onChange={(origins) => void patch({ origins })} />
      <Problem problem={problem} />
      <KeysTable rpId={rp.id} wanted={part} />
      <Credentials rpId={rp.id} />
      <OwnCode rpId={rp.id} />
    </>
  )
}

type OriginsProps = { readonly origins: readonly string[]; readonly onChange: (origins: readonly string[]) => void }

const Origins = ({ origins, onChange }: OriginsProps) => {
  const words = texts.console.rp
  const [draft, setDraft] = useState<string>()
  const good = draft !== undefined && isOrigin(draft) && !origins.includes(draft)
  const add = () => {
    if (!good) return
    onChange([...origins, draft])
    setDraft(undefined)
  }
  return (
    <section className={styles.origins} aria-label={words.origins}>
      <span className={styles.label}>{words.origins}</span>
      {origins.map((origin) => (
        <span key={origin} className={styles.origin}>
          <code>{origin}</code>
          <button
            type="button"
            aria-label={words.removeOrigin(origin)}
            onClick={() => onChange(origins.filter((each) => each !== origin))}
          >
            <X size={12} strokeWidth={2} aria-hidden="true" />
          </button>
        </span>
      ))}
      {draft === undefined ? (
        <Button look="ghost" onClick={() => setDraft('https://')}>
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.addOrigin}
        </Button>
      ) : (
        <span className="field" aria-invalid={draft.length > 9 && !good}>
          <input
            // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
            autoFocus
            className="mono"
            aria-label={words.addOrigin}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add()
              else if (event.key === 'Escape') setDraft(undefined)
            }}
          />
          <IconButton small name={words.addThisOrigin} disabled={!good} onClick={add}>
            <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </span>
      )}
    </section>
  )
}

/** The way from clicking to calling: where the interfaces are, and a first request as the RP signs it. */
const OwnCode = ({ rpId }: { readonly rpId: string }) => {
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
