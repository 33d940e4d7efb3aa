import { Cloud, Cpu, Eye, EyeOff, Plug, Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import type { AccessKeyState, RpState } from '../../src-main/core/contract/control/states.ts'
import { isOrigin } from '../../src-main/core/contract/profile.ts'
import { algorithmName } from '../../src-main/core/judge/algorithms.ts'
import { signingLine } from '../../src-main/views/code/signing-line.ts'
import { useBenchNow, useBenchPart } from '../bench/use-bench.ts'
import { rpVariant } from '../bench/words.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { useDelete, useDeletions } from '../ui/deletions.tsx'
import { agoText, shortDate } from '../ui/format.ts'
import { Button, CommitField, IconButton, Problem, RpMark, Switch, TextField } from '../ui/primitives.tsx'
import { PageLink, SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo } from '../ui/use-address.ts'
import { type RunAction, useQuery, useRunAction } from '../ui/use-asked.ts'
import { useScrollTo } from '../ui/use-led-to.ts'
import styles from './rp-page.module.css'
import { Table } from './table.tsx'

type RpPageProps = {
  readonly rp: RpState
  /** The access key that the address leads to. */
  readonly part: string | undefined
  readonly onGone: () => void
}

export const RpPage = ({ rp, part, onGone }: RpPageProps) => {
  const words = texts.console.rp
  const rps = useBenchPart((state) => state.rps)
  const { act, problem } = useRunAction()
  const [sure, setSure] = useState(false)
  const patch = (body: { readonly name?: string; readonly rp_id?: string; readonly origins?: readonly string[] }) =>
    act((client) => client.call('rps.patch', { params: { rp: rp.id }, body }))
  const remove = async () => {
    if (!sure) setSure(true)
    else if (await act((client) => client.call('rps.delete', { params: { rp: rp.id } }))) onGone()
  }
  return (
    <>
      <header className={`${styles.head} row gap-14`}>
        <RpMark variant={rpVariant(rps, rp.id)} size={36} />
        <div>
          <h2 className="page-title">{rp.name}</h2>
          <p className="muted mt-1">
            {texts.console.newRp.rpId} <code className="small ink">{rp.rp_id}</code>
          </p>
        </div>
        <PageLink title={rp.name} />
        <Button
          Icon={Trash2}
          look={sure ? 'danger' : 'ghost'}
          onBlur={() => setSure(false)}
          onClick={() => void remove()}
          text={sure ? words.removeSure : words.remove}
        />
      </header>
      <div className={`${styles.fields} flex wraps gap-12-24 mt-18`}>
        <span className="row gap-10 muted">
          {words.name}
          <CommitField name={words.name} value={rp.name} width={220} onCommit={(name) => void patch({ name })} />
        </span>
        <span className="row gap-10 muted">
          {texts.console.newRp.rpId}
          <CommitField
            name={texts.console.newRp.rpId}
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
    <section className={`${styles.origins} row wraps gap-8 mt-14 mb-28`} aria-label={words.origins}>
      <span className="muted mr-6">{words.origins}</span>
      {origins.map((origin) => (
        <span key={origin} className={`${styles.origin} row gap-7 bg-surface-2 rounded-7 outlined h-26 p-0-5-0-10`}>
          <code className="small">{origin}</code>
          <button
            className="centred faint rounded-5 w-18 h-18"
            type="button"
            aria-label={words.removeOrigin(origin)}
            onClick={() => onChange(origins.filter((each) => each !== origin))}
          >
            <X size={12} strokeWidth={2} />
          </button>
        </span>
      ))}
      {draft === undefined ? (
        <Button Icon={Plus} look="ghost" onClick={() => setDraft('https://')} text={words.addOrigin} />
      ) : (
        <TextField
          name={words.addOrigin}
          mono
          wrong={draft.length > 9 && !good}
          autoFocus
          value={draft}
          onText={setDraft}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add()
            else if (event.key === 'Escape') setDraft(undefined)
          }}
        >
          <IconButton Icon={Plus} name={words.addThisOrigin} disabled={!good} onClick={add} />
        </TextField>
      )}
    </section>
  )
}

const OwnCode = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.console.ownCode
  const overview = useBenchPart((state) => state.overview)
  const answer = useQuery((client) => client.call('keys.list', { params: { rp: rpId } }), rpId)
  if (overview === undefined || answer === undefined) return null
  const { base_url, control_url } = overview.addresses
  const key = answer.keys.find(({ state }) => state === 'active')?.id ?? 'ID'
  const call = signingLine({ key, url: `${base_url}/rp/credentials?user_id=alice` })
  const rows = [
    { name: 'base_url', says: words.base, text: base_url, copied: base_url },
    { name: 'control_url', says: words.control, text: control_url, copied: control_url },
    { name: words.call, says: words.callSays, text: call, copied: call },
    { name: words.scenario, says: words.scenarioSays, text: 'npx handset run FILE.yaml', copied: 'npx handset run ' },
  ]
  return (
    <section className={styles.ownCode} aria-label={words.title}>
      <SectionHead title={words.title}>
        <Button
          Icon={Plug}
          small
          onClick={() => navigateTo({ screen: 'bench', connect: { rp: rpId } })}
          text={texts.connect.title}
        />
      </SectionHead>
      <dl className="mt-4">
        {rows.map(({ name, says, text, copied }) => (
          <div className="middle grid gap-4-16 line-below min-h-44 py-5" key={name}>
            <dt>
              {name}
              <small className="small faint block">{says}</small>
            </dt>
            <dd className="row narrows gap-6">
              <code className="small breaks preformatted">{text}</code>
              <CopyButton name={words.copy(name)} text={copied} iconOnly />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Credentials = ({ rpId }: { readonly rpId: string }) => {
  const { credentials: words, keys } = texts.console
  const { act, problem } = useRunAction()
  const drop = useDelete('credentials', act)
  const answer = useQuery((client) => client.call('credentials.list', { query: { rp: rpId } }), rpId)
  if (answer === undefined) return null
  return (
    <section aria-label={words.title}>
      <SectionHead title={words.title} />
      <Problem problem={problem} />
      <Table
        heads={[words.name, words.user, words.kept, words.algorithm, words.counter, keys.created]}
        actions={keys.remove}
        none={words.none}
      >
        {answer.credentials.map((each) => {
          const Icon = each.storage === 'cloud' ? Cloud : Cpu
          return (
            <tr key={each.id}>
              <td>{each.name}</td>
              <td>{each.user_id}</td>
              <td>
                <span className="row gap-8">
                  <Icon />
                  {texts.phone.storage[each.storage]}
                </span>
              </td>
              <td>
                <code>{typeof each.algorithm === 'number' ? algorithmName(each.algorithm) : each.algorithm}</code>
              </td>
              <td className="digits">{each.counter}</td>
              <td>{shortDate(each.created_at)}</td>
              <td>
                <IconButton Icon={Trash2} name={texts.deleted.delete(each.name)} onClick={() => void drop(each)} />
              </td>
            </tr>
          )
        })}
      </Table>
    </section>
  )
}

const KeysTable = ({ rpId, wanted }: { readonly rpId: string; readonly wanted: string | undefined }) => {
  const words = texts.console.keys
  const { act, problem } = useRunAction()
  const { remove } = useDeletions()
  const answer = useQuery((client) => client.call('keys.list', { params: { rp: rpId } }), rpId)
  useScrollTo(wanted, answer !== undefined)
  const [shown, setShown] = useState<Readonly<Record<string, string>>>({})
  const show = (id: string, secret: string | undefined) =>
    setShown((before) => {
      const { [id]: _, ...rest } = before
      return secret === undefined ? rest : { ...rest, [id]: secret }
    })
  const make = () =>
    act(async (client) => {
      const { key, secret } = await client.call('keys.create', { params: { rp: rpId }, body: {} })
      show(key.id, secret)
    })
  const drop = (id: string) => {
    const params = { rp: rpId, key: id }
    return remove({
      name: id,
      run: () => act((client) => client.call('keys.delete', { params })),
      undo: (client) => client.call('keys.undelete', { params, body: {} }),
    })
  }
  return (
    <section aria-label={words.title}>
      <SectionHead title={words.title}>
        <Button Icon={Plus} small look="primary" onClick={() => void make()} text={words.add} />
      </SectionHead>
      <Problem problem={problem} />
      <Table
        heads={[words.id, words.secret, words.created, words.used, words.state]}
        actions={words.remove}
        none={answer && words.none}
      >
        {(answer?.keys ?? []).map((key) => (
          <KeyRow
            key={key.id}
            led={key.id === wanted}
            access={key}
            secret={shown[key.id]}
            onShow={show}
            onDrop={() => void drop(key.id)}
            act={act}
          />
        ))}
      </Table>
    </section>
  )
}

type KeyRowProps = {
  readonly led: boolean
  readonly access: AccessKeyState
  readonly secret: string | undefined
  readonly onShow: (id: string, secret: string | undefined) => void
  readonly onDrop: () => void
  readonly act: RunAction
}

const KeyRow = ({ led, access, secret, onShow, onDrop, act }: KeyRowProps) => {
  const words = texts.console.keys
  const now = useBenchNow()
  const params = { rp: access.rp, key: access.id }
  const set = (state: 'active' | 'disabled') => act((client) => client.call('keys.patch', { params, body: { state } }))
  const reveal = async (): Promise<string | undefined> => {
    let text = secret
    await act(async (client) => {
      text ??= (await client.call('keys.reveal', { params, body: {} })).secret
    })
    return text
  }

  const active = access.state === 'active'
  return (
    <tr data-address={access.id} data-led={led || undefined}>
      <td>
        <code className="weight-430">{access.id}</code>
      </td>
      <td>
        <span className={`${styles.secret} row gap-4`}>
          <code data-shown={secret !== undefined || undefined}>{secret ?? '•'.repeat(20)}</code>
          <IconButton
            Icon={secret === undefined ? Eye : EyeOff}
            name={secret === undefined ? words.show(access.id) : words.hide(access.id)}
            onClick={() =>
              secret === undefined
                ? void reveal().then((text) => onShow(access.id, text))
                : onShow(access.id, undefined)
            }
          />
          <CopyButton iconOnly name={words.copy(access.id)} text={async () => (await reveal()) ?? ''} />
        </span>
      </td>
      <td>{shortDate(access.created_at)}</td>
      <td>{access.last_used_at === undefined ? words.never : agoText(now - access.last_used_at)}</td>
      <td>
        <span className="row gap-8">
          <Switch name={words.active(access.id)} on={active} onFlip={(on) => void set(on ? 'active' : 'disabled')} />
          {active ? words.on : words.off}
        </span>
      </td>
      <td>
        <IconButton Icon={Trash2} name={words.delete(access.id)} onClick={onDrop} />
      </td>
    </tr>
  )
}
