import { Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { RpState } from '../../src-main/core/contract/control/states.ts'
import { isOrigin } from '../../src-main/core/contract/profile.ts'
import { rpVariant } from '../bench/rp-variant.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CommitField } from '../ui/commit-field.tsx'
import { RpMark } from '../ui/marks.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import { Credentials } from './credentials.tsx'
import { KeysTable } from './keys-table.tsx'
import { OwnCode } from './own-code.tsx'
import styles from './rp-page.module.css'

type RpPageProps = {
  readonly rp: RpState
  /** The access key that the address leads to. */
  readonly part: string | undefined
  readonly onGone: () => void
}

/** One relying party: what it is called, where it lives, and the keys it signs with. */
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
