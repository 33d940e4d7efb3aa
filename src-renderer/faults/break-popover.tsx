import { Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { parseJsonOrNothing } from '../../src-main/core/protocol/json.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { arrowStep, onWindow } from '../ui/effects.ts'
import { IconButton, TextField } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useQuery } from '../ui/use-asked.ts'
import { useStored } from '../ui/use-stored.ts'
import styles from './break-popover.module.css'
import { type BreakTarget, setBreakTarget } from './breaking.ts'
import { type FaultEntry, filterEntries, phoneEntries, serviceEntries } from './fault-entries.ts'
import { FaultRow } from './fault-row.tsx'

export const BreakPopover = ({ breaking }: { readonly breaking: BreakTarget }) => {
  const words = texts.breaking
  const { of } = breaking
  const dialog = useRef<HTMLDialogElement>(null)
  const listed = useQuery((client) => client.call('catalogue.faults'))
  const phone = useBenchPart(({ phones }) => (of === 'service' ? phones[0] : phones.find(({ id }) => id === of.phone)))
  const favourites = useFavourites()
  const [wanted, setWanted] = useState('')
  const [opened, setOpened] = useState(breaking.fault)
  const all = of === 'service' ? serviceEntries() : phoneEntries(listed?.faults ?? [])
  const groups = groupsOf(filterEntries(all, wanted), favourites.names)
  const search = useRef<HTMLInputElement>(null)
  // The dialog's width is known only once it is open.
  useLayoutEffect(() => {
    dialog.current?.showModal()
    search.current?.focus()
  }, [])
  useLayoutEffect(() => {
    const stand = () => place(dialog.current, breaking.anchor)
    stand()
    // Waits for a frame, because the anchor must move first.
    return onWindow('resize', () => requestAnimationFrame(stand))
  }, [breaking.anchor])
  const ready = all.length > 0
  useEffect(() => {
    if (ready && breaking.fault !== undefined) {
      const row = document.getElementById(rowId(breaking.fault))
      row?.focus({ preventScroll: true })
      row?.scrollIntoView({ block: 'center' })
    }
  }, [ready, breaking.fault])
  const close = () => {
    dialog.current?.close()
    setBreakTarget(undefined)
  }
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      if (opened === undefined) return close()
      document.getElementById(rowId(opened))?.focus()
      return setOpened(undefined)
    }
    const rows = [...(dialog.current?.querySelectorAll<HTMLElement>('[data-fault]') ?? [])]
    const here = rows.indexOf(document.activeElement as HTMLElement)
    if (here < 0 && !(event.target instanceof HTMLInputElement && event.target.type === 'search')) return
    const by = arrowStep(event)
    if (by === 0) return
    rows[Math.max(0, Math.min(rows.length - 1, here + by))]?.focus()
  }
  const name = of === 'service' ? words.service : words.phone(phone?.name ?? '')
  return (
    <dialog
      ref={dialog}
      className={`${styles.popover} small leading-18 cut rounded-9 m-auto`}
      aria-label={name}
      onClose={() => setBreakTarget(undefined)}
      onClick={(event) => event.target === dialog.current && close()}
      onKeyDown={move}
    >
      <header className="row rigid between p-8-8-4-14">
        <h2 className="text-13 weight-600 untracked fault">{name}</h2>
        <IconButton Icon={X} name={words.close} onClick={close} />
      </header>
      <TextField
        name={words.search(all.length)}
        className="rigid m-0-10-8"
        quiet
        Icon={Search}
        ref={search}
        type="search"
        placeholder={words.search(all.length)}
        value={wanted}
        onText={setWanted}
      />
      <div className="grow shortens line-above scrolls-y p-0-0-6">
        {groups.map(([group, entries]) => (
          <section key={group} aria-label={group}>
            <h3 className="tiny faint weight-560 leading-16 untracked p-8-14-2">{group}</h3>
            <ul aria-label={group}>
              {entries.map((entry) => (
                <FaultRow
                  key={entry.name}
                  id={rowId(entry.name)}
                  entry={entry}
                  of={of}
                  phone={phone}
                  open={opened === entry.name}
                  favourite={favourites.names.includes(entry.name)}
                  onOpen={() => setOpened(opened === entry.name ? undefined : entry.name)}
                  onFavourite={() => favourites.toggle(entry.name)}
                  onDone={close}
                />
              ))}
            </ul>
          </section>
        ))}
        {groups.length === 0 && ready ? <p className="note p-12-14">{words.none}</p> : null}
      </div>
    </dialog>
  )
}

const rowId = (fault: string): string => `fault-${fault}`

const groupsOf = (entries: readonly FaultEntry[], favourites: readonly string[]) => {
  const isFavourite = ({ name }: FaultEntry) => favourites.includes(name)
  const sorted = [...entries.filter(isFavourite), ...entries.filter((entry) => !isFavourite(entry))]
  return [...Map.groupBy(sorted, (entry) => (isFavourite(entry) ? texts.breaking.favourites : entry.group))]
}

const GAP = 6
/** With fewer pixels above and below the anchor, the popover takes the window's height. */
const MIN_ROOM = 320

const place = (dialog: HTMLDialogElement | null, anchor: Element | undefined): void => {
  if (dialog === null) return
  dialog.removeAttribute('style')
  if (anchor?.checkVisibility() !== true) return
  const { left, right, top, bottom } = anchor.getBoundingClientRect()
  const width = dialog.offsetWidth
  const wanted = left < innerWidth / 2 ? left : right - width
  const below = innerHeight - bottom
  const room = Math.max(below, top) - 2 * GAP
  const { style } = dialog
  style.margin = '0'
  style.right = 'auto'
  style.left = `${Math.max(GAP, Math.min(innerWidth - width - GAP, wanted))}px`
  if (room < MIN_ROOM) {
    style.top = `${GAP}px`
    style.bottom = 'auto'
    style.maxHeight = `${innerHeight - 2 * GAP}px`
    return
  }
  style.top = below >= top ? `${bottom + GAP}px` : 'auto'
  style.bottom = below >= top ? 'auto' : `${innerHeight - top + GAP}px`
  style.maxHeight = `${room}px`
}

const KEY = 'handset.favourite-faults'

const favouritesIn = (stored: string | null): readonly string[] => {
  const known = parseJsonOrNothing(stored ?? '[]')
  return Array.isArray(known) ? known.filter((each) => typeof each === 'string') : []
}

const useFavourites = () => {
  const [names, setNames] = useStored(KEY, favouritesIn, JSON.stringify)
  const toggle = (name: string): void =>
    setNames(names.includes(name) ? names.filter((each) => each !== name) : [...names, name])
  return { names, toggle }
}
