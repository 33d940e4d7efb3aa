import { Undo2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useAction } from '../palette/actions.ts'
import { Button } from './button.tsx'
import { texts } from './texts.ts'

type Deleted = { readonly name: string; readonly undo: () => Promise<boolean> }

type Delete = (deleted: Deleted & { readonly run: () => Promise<boolean> }) => Promise<void>

/** Deletes, and keeps what was deleted last until it is taken back or the next one goes: nothing runs out meanwhile. */
export const useDelete = (): { readonly remove: Delete; readonly note: React.ReactNode } => {
  const [deleted, setDeleted] = useState<Deleted>()
  const busy = useRef(false)
  const remove = useCallback<Delete>(async ({ run, ...what }) => {
    // A double click means it once.
    if (busy.current) return
    busy.current = true
    if (
      await run().finally(() => {
        busy.current = false
      })
    )
      setDeleted(what)
  }, [])
  const undo = async ({ undo }: Deleted) => {
    if (await undo()) setDeleted(undefined)
  }
  const place = useRef<HTMLParagraphElement>(null)
  useAction('undo', place, deleted && (() => void undo(deleted)))
  const note =
    deleted === undefined ? null : (
      <p ref={place} className="deleted" role="status">
        <span>{texts.deleted.done(deleted.name)}</span>
        <Button small onClick={() => void undo(deleted)}>
          <Undo2 size={13} strokeWidth={1.75} aria-hidden="true" />
          {texts.deleted.undo}
        </Button>
      </p>
    )
  return { remove, note }
}
