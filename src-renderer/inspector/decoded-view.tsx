import { type KeyboardEvent, type MouseEvent, memo, useEffect, useId, useMemo, useState } from 'react'
import type { Range } from '../../src-main/core/judge/cbor.ts'
import { toHex } from '../../src-main/core/protocol/bytes.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { type DecodedPart, decodeParts, MAX_NODES, nodeAt, type TreeNode } from '../../src-main/views/inspect/parts.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { arrowStep, whenDone } from '../ui/effects.ts'
import { byteCount } from '../ui/format.ts'
import { texts } from '../ui/texts.ts'
import styles from './decoded-view.module.css'
import { PartHead } from './part.tsx'
import { useValueInspection } from './unfolding-context.ts'

export const DecodedView = ({ body }: { readonly body: string }) => {
  const parts = useMemo(() => decodeParts(body), [body])
  return <DecodedParts parts={parts} />
}

type Part = DecodedPart<string>

type DecodedPartsProps = {
  readonly parts: readonly Part[]
  /** Bytes to mark for another element of the page; a new object marks the same bytes again. */
  readonly led?: LinkedRange | undefined
}

export type LinkedRange = { readonly part: string; readonly start: number; readonly end: number }

/** Longer values are not shown byte by byte. */
const MAX_BYTES = 4096

export const DecodedParts = ({ parts, led }: DecodedPartsProps) => {
  const words = texts.inspector
  const id = useId()
  const [name, setName] = useState('authenticatorData')
  const [chosen, setChosen] = useState<string>()
  const [hovered, setHovered] = useState<string>()
  const [followed, setFollowed] = useState<LinkedRange>()
  if (led !== followed) {
    setFollowed(led)
    setName(led?.part ?? name)
    setChosen(undefined)
    setHovered(undefined)
  }
  const part = parts.find((each) => each.name === name) ?? parts[0]
  const whose = useRpIdName(part)
  const bytes = useMemo(() => part?.bytes.subarray(0, MAX_BYTES), [part])
  if (part === undefined || bytes === undefined) return <p className="empty">{words.nothingDecoded}</p>
  const own = part.nodes.find(({ id }) => id === (hovered ?? chosen))
  const marked = own ?? (led?.part === part.name ? led : undefined)
  const at = (byte: number | undefined) => (byte === undefined ? undefined : nodeAt(part.nodes, byte)?.id)
  return (
    <div
      className={`${styles.decoded} grid shortens`}
      data-part="decoded"
      data-single={parts.length === 1 || undefined}
    >
      <div
        className={`${styles.parts} shortens scrolls p-8`}
        data-part="parts"
        role="radiogroup"
        aria-label={words.parts}
      >
        {parts.map((each) => (
          <label key={each.name} className={`${styles.part} choice row muted hovers rounded-6 h-26 px-8`}>
            <input
              type="radio"
              name={id}
              checked={each === part}
              onChange={() => {
                setName(each.name)
                setChosen(undefined)
              }}
            />
            <code className="small">{each.name}</code>
            <small className="push-right tiny faint">
              {each.note === '' ? byteCount(each.bytes.length) : each.note}
            </small>
          </label>
        ))}
      </div>
      <div className={`${styles.treeSide} shortens scrolls line-left`}>
        <PartHead title={titleOf(part)}>
          <span className="push-right">{words.bytes}</span>
        </PartHead>
        <Tree
          id={id}
          part={part}
          whose={whose}
          chosen={chosen}
          hovered={hovered}
          onChoose={setChosen}
          onHover={setHovered}
        />
      </div>
      <div className={`${styles.hexSide} shortens scrolls line-left`}>
        <PartHead title={byteCount(part.bytes.length)}>
          {bytes.length < part.bytes.length ? <span>{words.firstBytes(bytes.length)}</span> : null}
          {marked === undefined ? null : <span>{words.selectedBytes(rangeText(marked))}</span>}
          <CopyButton name={words.copyHex} text={toHex(part.bytes)} command="copy-hex" iconOnly />
        </PartHead>
        <HexView
          bytes={bytes}
          marked={marked}
          look={own === undefined ? 'fail' : 'accent'}
          onByte={(byte) => setChosen(at(byte))}
          onHover={(byte) => setHovered(at(byte))}
        />
      </div>
    </div>
  )
}

const titleOf = ({ name }: Part): string => textOf(texts.inspector.partTitles, { code: name })

export const rangeText = ({ start, end }: Range): string => (end - start === 1 ? String(start) : `${start}–${end - 1}`)

/** For example `SHA-256 of "localhost"`, if the workspace knows the RP ID. */
const useRpIdName = (part: Part | undefined): string | undefined => {
  const unfolding = useValueInspection()
  const known = useBenchPart((state) => state.rps.map(({ rp_id }) => rp_id).join(' '))
  const [named, setNamed] = useState<{ readonly of: Part; readonly whose: string | undefined }>()
  useEffect(() => {
    const place = part?.nodes.find(({ id }) => id === 'rpIdHash')
    if (part === undefined || place === undefined) return
    const hash = part.bytes.slice(place.start, place.end)
    return whenDone(unfolding?.nameHash(hash, known.split(' ')), (whose) => setNamed({ of: part, whose }))
  }, [part, unfolding, known])
  return named?.of === part ? named?.whose : undefined
}

type TreeProps = {
  /** Prefix that keeps its nodes distinct from those of other trees. */
  readonly id: string
  readonly part: Part
  /** The RP ID or origin behind the `rpIdHash`. */
  readonly whose: string | undefined
  readonly chosen: string | undefined
  readonly hovered: string | undefined
  readonly onChoose: (id: string) => void
  readonly onHover: (id: string | undefined) => void
}

const Tree = ({ id, part, whose, chosen, hovered, onChoose, onHover }: TreeProps) => {
  const nodes = part.nodes.slice(0, MAX_NODES)
  const move = (event: KeyboardEvent) => {
    const by = arrowStep(event)
    if (by === 0) return
    const index = nodes.findIndex(({ id }) => id === chosen)
    const next = nodes[Math.min(nodes.length - 1, Math.max(0, index + by))]
    if (next === undefined) return
    onChoose(next.id)
    document.getElementById(`${id}-${next.id}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div
      className="inset-focus pb-8"
      role="tree"
      aria-label={titleOf(part)}
      aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen}`}
      tabIndex={0}
      onKeyDown={move}
      onMouseLeave={() => onHover(undefined)}
    >
      {nodes.map((each) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys, as in its ARIA pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the tree also has the focus.
        <div
          key={each.id}
          id={`${id}-${each.id}`}
          role="treeitem"
          aria-level={each.depth + 1}
          aria-selected={each.id === chosen}
          data-hovered={each.id === hovered || undefined}
          className={`${styles.treeNode} row gap-12 small clickable h-22 pr-14`}
          style={{ paddingLeft: 16 + each.depth * 16 }}
          onClick={() => onChoose(each.id)}
          onMouseEnter={() => onHover(each.id)}
        >
          <span
            className={`${styles.treeName} clip rigid ${each.id === chosen ? 'accent weight-560' : 'muted'}`}
            style={{ width: 176 - each.depth * 16 }}
          >
            {each.name}
          </span>
          <span className={`${styles.treeValue} clip row fill gap-8 mono-12 leading-22`} title={each.value}>
            {each.id === 'rpIdHash' ? (whose ?? each.value) : each.value}
            {each.flags === undefined ? null : <Flags flags={each.flags} />}
            {each.note === undefined ? null : (
              <small className={each.id === chosen ? 'muted' : 'faint'}>{each.note}</small>
            )}
          </span>
          <span className={`${styles.treeRange} ${each.id === chosen ? 'accent' : 'faint'}`}>{rangeText(each)}</span>
        </div>
      ))}
    </div>
  )
}

const Flags = ({ flags }: { readonly flags: NonNullable<TreeNode['flags']> }) => (
  <span className={`${styles.flags} inline-flex gap-3`}>
    {flags.map(({ name, set }) => (
      <abbr
        key={name}
        className={`rounded-3 px-4 ${set ? 'ok undecorated bg-ok-soft' : 'faint struck-through bg-surface-3'}`}
        title={texts.inspector.flags[name] ?? name}
      >
        {name}
        <span className="unseen">{set ? texts.inspector.flagSet : texts.inspector.flagClear}</span>
      </abbr>
    ))}
  </span>
)

type HexViewProps = {
  readonly bytes: Uint8Array
  readonly marked?: Range | undefined
  /** Position of the wrong byte within the marked range. */
  readonly hot?: number | undefined
  readonly look?: 'accent' | 'fail'
  readonly onByte?: (byte: number) => void
  readonly onHover?: (byte: number | undefined) => void
}

const WIDTH = 16

export const HexView = memo(({ bytes, marked, hot, look = 'accent', onByte, onHover }: HexViewProps) => {
  const rows = Array.from({ length: Math.ceil(bytes.length / WIDTH) }, (_, i) => i * WIDTH)
  const byteUnder = (event: MouseEvent): number | undefined => {
    const at = event.target instanceof HTMLElement ? event.target.dataset.at : undefined
    return at === undefined ? undefined : Number(at)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree next to it offers the same choice by keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: clicking a byte is a short cut to its row in the tree.
    <div
      className={`${styles.hex} p-0-16-10`}
      data-part="hex"
      data-tone={look}
      onClick={(event) => {
        const at = byteUnder(event)
        if (at !== undefined) onByte?.(at)
      }}
      onMouseOver={(event) => onHover?.(byteUnder(event))}
      onFocus={() => undefined}
      onMouseLeave={() => onHover?.(undefined)}
    >
      <span className="unseen">{texts.inspector.hexLabel(bytes.length)}</span>
      {rows.map((row) => (
        <div key={row} className="flex pre h-20">
          <span className={`${styles.offset} rigid tiny faint`}>{row.toString(16).padStart(4, '0')}</span>
          <span className={styles.bytes}>
            {cellsOf(bytes, row).map(({ at, byte }) => (
              <Cell key={at} at={at} marked={marked} hot={hot}>
                {byte.toString(16).padStart(2, '0')}
              </Cell>
            ))}
          </span>
          <span className={styles.text} data-part="hex-text" aria-hidden="true">
            {cellsOf(bytes, row).map(({ at, byte }) => (
              <Cell key={at} at={at} faint={!isPrintable(byte)} marked={marked} hot={hot}>
                {isPrintable(byte) ? String.fromCharCode(byte) : '·'}
              </Cell>
            ))}
          </span>
        </div>
      ))}
    </div>
  )
})

const cellsOf = (bytes: Uint8Array, row: number) =>
  [...bytes.subarray(row, row + WIDTH)].map((byte, i) => ({ at: row + i, byte }))

const isPrintable = (byte: number): boolean => byte > 0x20 && byte < 0x7f

type CellProps = {
  readonly at: number
  readonly children: string
  readonly marked: Range | undefined
  readonly hot: number | undefined
  readonly faint?: boolean
}

const Cell = ({ at, children, marked, hot, faint = false }: CellProps) => {
  const on = marked !== undefined && at >= marked.start && at < marked.end
  return (
    <b
      className={`text-center weight-430 inline-block ${faint ? 'faint' : ''}`}
      data-at={at}
      data-on={on || undefined}
      data-first={(on && (at === marked.start || at % WIDTH === 0)) || undefined}
      data-last={(on && (at === marked.end - 1 || at % WIDTH === WIDTH - 1)) || undefined}
      data-hot={at === hot || undefined}
    >
      {children}
    </b>
  )
}
