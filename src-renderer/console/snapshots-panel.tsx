import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { useDeletions } from '../ui/deletions.tsx'
import { dateAndTime } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import { useLedTo } from '../ui/use-led-to.ts'
import styles from './snapshots-panel.module.css'

/** Moments of the workspace to go back to. */
export const SnapshotsPanel = ({ wanted }: { readonly wanted: string | undefined }) => {
  const words = texts.console.snapshots
  const { act, problem } = useAct()
  const { remove, undone } = useDeletions()
  const [name, setName] = useState<string>()
  const [made, setMade] = useState(0)
  const answer = useAsked((client) => client.call('snapshots.list'), `${made} ${undone}`)
  useLedTo(wanted, answer !== undefined)
  const again = (done: boolean) => {
    if (done) setMade((n) => n + 1)
    return done
  }
  const take = async () => {
    const body = name === undefined || name.trim() === '' ? {} : { name: name.trim() }
    if (again(await act((client) => client.call('snapshots.create', { body })))) setName(undefined)
  }
  const drop = (id: string, what: string) => {
    const params = { id }
    return remove({
      name: what,
      run: async () => again(await act((client) => client.call('snapshots.delete', { params }))),
      undo: (client) => client.call('snapshots.undelete', { params, body: {} }),
    })
  }
  const list = answer?.snapshots ?? []
  return (
    <section aria-label={words.title}>
      <SectionHead of="panel" title={words.title}>
        <Button small look="ghost" onClick={() => setName(name === undefined ? '' : undefined)}>
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {words.take}
        </Button>
      </SectionHead>
      {name === undefined ? null : (
        <form
          className={`${styles.snapshotNew} flex gap-6`}
          onSubmit={(event) => {
            event.preventDefault()
            void take()
          }}
        >
          <span className="field grow">
            <input
              // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
              autoFocus
              aria-label={words.name}
              placeholder={words.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </span>
          <Button type="submit">{words.keep}</Button>
        </form>
      )}
      <Problem problem={problem} />
      {list.length === 0 && name === undefined ? <p className="note">{words.none}</p> : null}
      <ul>
        {list.map((each) => (
          <li
            key={each.id}
            className={`${styles.snapshot} row gap-6`}
            data-address={each.id}
            data-led={each.id === wanted || undefined}
          >
            <span>
              <b>{each.name}</b>
              <small>{dateAndTime(each.created_at)}</small>
            </span>
            <IconButton small name={words.delete(each.name)} onClick={() => void drop(each.id, each.name)}>
              <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
            <Button
              small
              aria-label={words.restoreNamed(each.name)}
              onClick={() =>
                void act((client) => client.call('snapshots.restore', { params: { id: each.id }, body: {} }))
              }
            >
              {words.restore}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
