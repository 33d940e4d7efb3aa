import { Undo2, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { MAX_DELETIONS } from '../../src-main/core/contract/schema.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { useAction } from '../palette/actions.ts'
import styles from './deletions.module.css'
import { Button, IconButton, Problem } from './primitives.tsx'
import { texts } from './texts.ts'
import { type RunAction, useRunAction } from './use-asked.ts'

type Deletion = {
  readonly name: string
  readonly undo: (client: ControlClient) => Promise<unknown>
  /** The button that deleted, and the region to focus when nothing is left to undo. */
  readonly button: Element | null
  readonly from: HTMLElement | undefined
}

type Delete = (deletion: Omit<Deletion, 'button' | 'from'> & { readonly run: () => Promise<boolean> }) => Promise<void>

type Deletions = {
  readonly remove: Delete
  /** Number of undone deletions; lists with deletable items are fetched again when it changes. */
  readonly undone: number
}

const DeletionsContext = createContext<Deletions | undefined>(undefined)

export const useDeletions = (): Deletions => {
  const deletions = useContext(DeletionsContext)
  if (deletions === undefined) throw new Error('a deletion outside its context')
  return deletions
}

/** Deletes one thing of this kind. `then` gets the outcome and returns true if it can be undone. */
export const useDelete = (
  kind: 'credentials' | 'roots' | 'snapshots',
  act: RunAction,
  then: (done: boolean) => boolean = (done) => done,
) => {
  const { remove } = useDeletions()
  return ({ id, name }: { readonly id: string; readonly name: string }) => {
    const params = { id }
    return remove({
      name,
      run: async () => then(await act((client) => client.call(`${kind}.delete`, { params }))),
      undo: (client) => client.call(`${kind}.undelete`, { params, body: {} }),
    })
  }
}

type DeletionsHostProps = { readonly children: (note: ReactNode) => ReactNode }

/** Keeps deletions of all pages, so that the latest one is undone first. */
export const DeletionsHost = ({ children }: DeletionsHostProps) => {
  const { act, problem } = useRunAction()
  const [list, setList] = useState<readonly Deletion[]>([])
  const [undone, setUndone] = useState(0)
  const busy = useRef(false)
  const noteRef = useRef<HTMLDivElement>(null)
  const latest = list.at(-1)

  const remove = useCallback<Delete>(async ({ run, ...deletion }) => {
    // Counts a double click once.
    if (busy.current) return
    busy.current = true
    const button = document.activeElement
    const from = regionAround(button)
    const done = await run().finally(() => {
      busy.current = false
    })
    if (done) setList((before) => [...before, { ...deletion, button, from }].slice(-MAX_DELETIONS))
  }, [])
  const leave = (deletion: Deletion) => {
    const focused = noteRef.current?.contains(document.activeElement) === true
    setList((before) => before.filter((each) => each !== deletion))
    if (list.length === 1 && focused) focusRegion(deletion.from)
  }
  const undo = async (deletion: Deletion) => {
    if (busy.current) return
    busy.current = true
    const done = await act(deletion.undo).finally(() => {
      busy.current = false
    })
    if (!done) return
    setUndone((count) => count + 1)
    leave(deletion)
  }
  useAction('undo', noteRef, latest && (() => void undo(latest)))
  // The pressed button disappears with its row, so the focus must move.
  useEffect(() => {
    const focused = document.activeElement
    if (latest === undefined || (focused !== document.body && focused !== latest.button)) return
    noteRef.current?.querySelector('button')?.focus()
  }, [latest])

  const note = (
    <div data-part="deletions" aria-live="polite" ref={noteRef}>
      {latest === undefined ? null : (
        <div className={`${styles.deleted} row gap-10 line-above small leading-17 bg-surface-2 p-4-8-4-14`}>
          <span className="narrows breaks">{texts.deleted.done(latest.name)}</span>
          {list.length === 1 ? null : <small>{texts.deleted.earlier(list.length - 1)}</small>}
          <Problem problem={problem} />
          <Button Icon={Undo2} size={13} small onClick={() => void undo(latest)} text={texts.deleted.undo} />
          <IconButton Icon={X} size={13} name={texts.deleted.dismiss} onClick={() => leave(latest)} />
        </div>
      )}
    </div>
  )
  const deletions = useMemo(() => ({ remove, undone }), [remove, undone])
  return <DeletionsContext value={deletions}>{children(note)}</DeletionsContext>
}

const regionAround = (element: Element | null): HTMLElement | undefined =>
  element?.parentElement?.closest<HTMLElement>('section, main') ?? undefined

/** If the user has left the region's page, focuses the visible screen instead. */
const focusRegion = (from: HTMLElement | undefined): void => {
  const region = [from, ...document.querySelectorAll('main')].find(
    (each) => each?.isConnected === true && each.offsetParent !== null,
  )
  if (region === undefined) return
  region.tabIndex = -1
  region.focus({ preventScroll: true })
}
