import { ChevronDown, ChevronRight, FileSearch } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { inspectText } from '../inspect/inspected.ts'
import { Button } from '../ui/button.tsx'
import { byteCount } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { go, LinkContext } from '../ui/use-address.ts'
import styles from './unfold.module.css'
import { useUnfolding } from './unfolding-context.ts'

type UnfoldProps = {
  /** As it is in the message, with its quotes. */
  readonly written: string
  readonly value: string
  /** The member that has it. */
  readonly name: string | undefined
}

const SHOWN = 20

/** A value of a message that has a structure: named, and unfolded in place. */
export const Unfold = ({ written, value, name }: UnfoldProps) => {
  const words = texts.inspector.unfold
  const unfolding = useUnfolding()
  const known = useBenchPart((state) => state.rps.map(({ rp_id }) => rp_id).join(' '))
  const alone = useContext(LinkContext) === undefined
  const [found, setFound] = useState<Inspection>()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    let current = true
    void unfolding?.lookAt(value, known.split(' ')).then((looked) => current && setFound(looked))
    return () => {
      current = false
    }
  }, [unfolding, value, known])
  const label = found === undefined ? undefined : labelOf(found, name, value)
  if (unfolding === undefined || found === undefined || label === undefined)
    return <span data-look="text">{written}</span>
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const short = value.length > 2 * SHOWN + 4 ? `"${value.slice(0, SHOWN)}…"` : written
  return (
    <>
      <button
        type="button"
        className={styles.unfold}
        data-part="unfold"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{short}</span>
        <span className={styles.label}>
          <Chevron size={12} strokeWidth={2} aria-hidden="true" />
          {label}
        </span>
      </button>
      {isOpen ? (
        <div className={styles.unfolded} data-part="unfolded">
          <unfolding.FindingView found={found} inner />
          {alone ? null : (
            <Button
              small
              onClick={() => {
                inspectText(value, {})
                go({ screen: 'inspect' })
              }}
            >
              <FileSearch size={13} strokeWidth={1.75} aria-hidden="true" />
              {words.inspect}
            </Button>
          )}
        </div>
      ) : null}
    </>
  )
}

/** Plain texts, and values that explain themselves. */
const PLAIN: ReadonlySet<Inspection['kind']> = new Set([
  ...(['text', 'empty', 'json', 'yaml', 'origin', 'url', 'timestamp', 'failure-word', 'error-code', 'oid'] as const),
])
/** Kinds recognized by their length alone: the name of the member explains them better. */
const VAGUE: ReadonlySet<Inspection['kind']> = new Set(['bytes', 'digest', 'raw-signature', 'aaguid', 'ec-point'])

const labelOf = ({ kind, facts }: Inspection, name: string | undefined, value: string): string | undefined => {
  if (PLAIN.has(kind)) return undefined
  const words = texts.inspector.unfold
  const members: Readonly<Record<string, string>> = words.members
  const size = byteCount(Math.floor((value.replace(/=+$/, '').length * 3) / 4))
  if (!VAGUE.has(kind)) {
    const whose = facts.find(([fact]) => fact === 'format')?.[1]
    const more = typeof whose === 'string' ? [whose] : []
    return [messages.inspectionKinds[kind], ...more, size].join(texts.inspector.verdict.comma)
  }
  const known = name !== undefined && Object.hasOwn(members, name) ? members[name] : undefined
  return known === undefined ? undefined : known + texts.inspector.verdict.comma + size
}

/** True if a text may be bytes in some encoding: it is long, and of one word. */
export const mayUnfold = (value: string): boolean => value.length >= 24 && /^[\w+/=.:#-]+$/.test(value)
