import { Search } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { BenchStore } from '../bench/bench-store.ts'
import { texts } from '../ui/texts.ts'
import { isMac, keysOf } from './chords.ts'
import type { CommandContext } from './desk.ts'
import { type Entry, entriesOf, findEntries } from './entries.ts'
import { useSources } from './found/use-sources.ts'
import { Keys } from './keys.tsx'
import styles from './palette.module.css'

type PaletteProps = {
  readonly desk: CommandContext
  readonly recorded: BenchStore | undefined
  readonly onClose: () => void
}

export const Palette = ({ desk, recorded, onClose }: PaletteProps) => {
  const words = texts.palette
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [sure, setSure] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])

  // The dialog's close event arrives later, when the palette may already be open again, so `onClose` is called here.
  const shut = () => {
    dialog.current?.close()
    onClose()
  }

  const sources = useSources(desk.scene, recorded)
  // Computed once, because the page below does not change while the palette is open.
  const [commands] = useState(() => entriesOf(desk))
  const groups = useMemo(() => findEntries(commands, query, sources), [commands, query, sources])
  const entries = groups.flatMap((group) => group.entries)
  const active = entries[Math.min(chosen, entries.length - 1)]

  const choose = (index: number) => {
    setChosen(index)
    setSure(undefined)
    const key = entries[index]?.key
    if (key !== undefined) document.getElementById(optionId(key))?.scrollIntoView({ block: 'nearest' })
  }
  const run = (entry: Entry, { altKey, ctrlKey, metaKey }: KeyboardEvent | MouseEvent) => {
    if (altKey || ctrlKey || metaKey) {
      const { link } = entry
      if (link === undefined) return
      shut()
      desk.copy(async () => link())
      return
    }
    if (entry.sure !== undefined && sure !== entry.key) {
      setChosen(entries.indexOf(entry))
      setSure(entry.key)
      return
    }
    // Closing first restores the focus, because a command may act on the focused element.
    shut()
    entry.run(desk)
  }
  const press = (event: KeyboardEvent) => {
    const index = active === undefined ? 0 : entries.indexOf(active)
    const to = MOVES[event.key]?.(index, entries.length)
    if (to !== undefined && entries.length > 0) choose((to + entries.length) % entries.length)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (active !== undefined) run(active, event)
    } else if (event.key === 'Escape' || (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))) shut()
    else return
    event.preventDefault()
  }

  return (
    <dialog
      ref={dialog}
      className={`${styles.palette} cut`}
      aria-label={words.title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && shut()}
      onKeyDown={press}
    >
      <label className={`${styles.search} row rigid gap-10 faint line-below h-48 px-16`}>
        <Search size={16} />
        <input
          className="fill tall text-15 ink"
          autoFocus
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-autocomplete="list"
          {...(active === undefined ? {} : { 'aria-activedescendant': optionId(active.key) })}
          aria-label={words.search}
          placeholder={words.search}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            choose(0)
          }}
        />
      </label>
      {/* The search box keeps the focus and the keys; in the list, the pointer only selects. */}
      <div
        className={`${styles.list} shortens scrolls-y px-8 pt-4 pb-10`}
        id="palette-list"
        role="listbox"
        aria-label={words.list}
      >
        {groups.map(({ group, title, entries: inGroup }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div key={group} role="group" aria-labelledby={`palette-${group}`}>
            <h3
              className="small faint weight-530 leading-16 px-8 pt-10 pb-4"
              id={`palette-${group}`}
              role="presentation"
            >
              {title}
            </h3>
            {inGroup.map((entry) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: as above.
              <div
                key={entry.key}
                id={optionId(entry.key)}
                // The target wraps to its own line rather than being cut.
                className="row wraps between clickable gap-0-16 rounded-6 min-h-32 px-8 py-5"
                role="option"
                aria-selected={entry.key === active?.key}
                data-sure={sure === entry.key || undefined}
                onMouseMove={() => entry.key !== active?.key && setChosen(entries.indexOf(entry))}
                onClick={(event) => run(entry, event)}
              >
                <span className="rigid fits">
                  {sure === entry.key ? entry.sure : <MarkedTitle title={entry.title} marked={entry.marked} />}
                </span>
                {entry.leads === undefined ? null : <small className="small faint clip fits">{entry.leads}</small>}
                {entry.chord === undefined ? null : (
                  <span aria-hidden="true">
                    <Keys chord={entry.chord} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      {active?.link === undefined ? null : (
        <p className="rigid small faint line-above px-16 py-7" aria-hidden="true">
          {words.found.hints.go} · {words.found.hints.copy(keysOf('Alt+Enter', isMac()).join('+'))}
        </p>
      )}
      <p className={entries.length === 0 ? 'muted px-16 pt-24 pb-28' : 'unseen'} role="status">
        {entries.length === 0 ? words.none : words.results(entries.length)}
      </p>
    </dialog>
  )
}

const optionId = (key: string): string => `palette-option-${key}`

const PAGE = 8

const MOVES: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  PageDown: (index, count) => Math.min(index + PAGE, count - 1),
  PageUp: (index) => Math.max(index - PAGE, 0),
}

export const MarkedTitle = ({ title, marked }: Pick<Entry, 'title' | 'marked'>) => {
  const at = new Set(marked)
  // Plain and marked in turn.
  const runs = ['']
  for (const [i, char] of [...title].entries()) {
    const isLastMarked = runs.length % 2 === 0
    if (at.has(i) !== isLastMarked) runs.push('')
    runs[runs.length - 1] += char
  }
  return (
    <>
      {runs.map((run, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a run has only its place.
        i % 2 === 1 ? <b key={i}>{run}</b> : run,
      )}
    </>
  )
}
