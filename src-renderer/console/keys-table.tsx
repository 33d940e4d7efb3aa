import { Eye, EyeOff, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { AccessKeyState } from '../../src-main/core/contract/control/states.ts'
import { useBenchNow } from '../bench/use-bench.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useDeletions } from '../ui/deletions.tsx'
import { ago, shortDate } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { Switch } from '../ui/switch.tsx'
import { texts } from '../ui/texts.ts'
import { type Act, useAct, useAsked } from '../ui/use-asked.ts'
import { useLedTo } from '../ui/use-led-to.ts'
import consolePageStyles from './console-page.module.css'
import styles from './keys-table.module.css'
import { Table } from './table.tsx'

/** An RP's access keys: made, shown, copied, switched off, deleted. */
export const KeysTable = ({ rpId, wanted }: { readonly rpId: string; readonly wanted: string | undefined }) => {
  const words = texts.console.keys
  const { act, problem } = useAct()
  const { remove } = useDeletions()
  const answer = useAsked((client) => client.call('keys.list', { params: { rp: rpId } }), rpId)
  useLedTo(wanted, answer !== undefined)
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
  const keys = answer?.keys ?? []
  return (
    <section aria-label={words.title}>
      <SectionHead title={words.title}>
        <Button small look="primary" onClick={() => void make()}>
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.add}
        </Button>
      </SectionHead>
      <Problem problem={problem} />
      {answer !== undefined && keys.length === 0 ? (
        <p className="note">{words.none}</p>
      ) : (
        <Table heads={[words.id, words.secret, words.created, words.used, words.state]} actions={words.remove}>
          {keys.map((key) => (
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
      )}
    </section>
  )
}

type KeyRowProps = {
  readonly led: boolean
  readonly access: AccessKeyState
  readonly secret: string | undefined
  readonly onShow: (id: string, secret: string | undefined) => void
  readonly onDrop: () => void
  readonly act: Act
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
        <code>{access.id}</code>
      </td>
      <td>
        <span className={styles.secret}>
          <code data-shown={secret !== undefined || undefined}>{secret ?? '•'.repeat(20)}</code>
          <IconButton
            small
            name={secret === undefined ? words.show(access.id) : words.hide(access.id)}
            onClick={() =>
              secret === undefined
                ? void reveal().then((text) => onShow(access.id, text))
                : onShow(access.id, undefined)
            }
          >
            {secret === undefined ? (
              <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
            ) : (
              <EyeOff size={14} strokeWidth={1.75} aria-hidden="true" />
            )}
          </IconButton>
          <CopyButton iconOnly name={words.copy(access.id)} text={async () => (await reveal()) ?? ''} />
        </span>
      </td>
      <td>{shortDate(access.created_at)}</td>
      <td>{access.last_used_at === undefined ? words.never : ago(now - access.last_used_at)}</td>
      <td>
        <span className={consolePageStyles.keyState}>
          <Switch name={words.active(access.id)} on={active} onFlip={(on) => void set(on ? 'active' : 'disabled')} />
          {active ? words.on : words.off}
        </span>
      </td>
      <td>
        <IconButton small name={words.delete(access.id)} onClick={onDrop}>
          <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </td>
    </tr>
  )
}
