import { ChevronDown, ChevronRight, FileSearch } from 'lucide-react'
import { useContext, useEffect, useMemo, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import { withoutUndefined } from '../../src-main/core/protocol/json.ts'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { type GivenTexts, inspectText } from '../inspect/inspected.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { whenDone } from '../ui/effects.ts'
import { byteCount } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { Button } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { LinkContext, navigateTo } from '../ui/use-address.ts'
import { jsonPieces } from './exchange-lines.ts'
import styles from './message-view.module.css'
import partStyles from './part.module.css'
import { PartHead } from './part.tsx'
import { useValueInspection } from './unfolding-context.ts'

type MessageViewProps = {
  readonly first: string
  readonly headers: readonly HeaderPair[]
  readonly body: string
  readonly bytes: number
  /** Absent if Inspect cannot be opened. */
  readonly inspected?: InspectedMessage | undefined
}

export type InspectedMessage = { readonly text: string; readonly given: GivenTexts }

export const MessageView = ({ first, headers, body, bytes, inspected }: MessageViewProps) => {
  const words = texts.inspector
  return (
    <div className={`${partStyles.wireParts} grid shortens`} data-part="wire-parts">
      <div className={partStyles.wirePart}>
        <PartHead title={words.headers}>
          {inspected === undefined ? null : <InspectButton look="ghost" {...inspected} />}
        </PartHead>
        <p className="breaks px-16 pb-4">
          <code className="small weight-560 leading-20">{first}</code>
        </p>
        <dl className="px-16 pb-12">
          {headers.map(([name, value], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may appear twice.
            <div className="grid gap-12 label-128 mono-12" key={i}>
              <dt className="faint cut ellipsis">{name}</dt>
              <dd className="breaks">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={partStyles.wirePart}>
        <PartHead title={words.body}>
          <span>{byteCount(bytes)}</span>
          {body === '' ? null : <CopyButton name={words.copy} text={body} iconOnly />}
        </PartHead>
        <BodyText text={body} />
      </div>
    </div>
  )
}

type InspectButtonProps = InspectedMessage & { readonly look?: 'ghost' }

const InspectButton = ({ text, given, look }: InspectButtonProps) => {
  const inspect = () => {
    inspectText(text, given)
    navigateTo({ screen: 'inspect' })
  }
  const says = texts.inspector.unfold
  return <Button Icon={FileSearch} size={13} small {...withoutUndefined({ look })} onClick={inspect} text={says} />
}

const LOOKS = { key: 'muted', text: 'ink', value: 'accent' } as const

const unquoted = (written: string): string => String(JSON.parse(written))

const BodyText = ({ text }: { readonly text: string }) => {
  const pieces = useMemo(() => jsonPieces(text), [text])
  if (text === '') return <p className="note px-16">{texts.inspector.noBody}</p>
  return (
    <div className="faint breaks preformatted mono-12 px-16 pb-12">
      {pieces.map((piece, i) => {
        if (piece.look === 'plain') return piece.text
        const value = piece.look === 'text' ? unquoted(piece.text) : undefined
        if (value !== undefined && mayUnfold(value)) {
          const key = pieces.slice(Math.max(0, i - 2), i).findLast(({ look }) => look === 'key')
          const name = key === undefined ? undefined : unquoted(key.text)
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity.
          return <Unfold key={i} written={piece.text} value={value} name={name} />
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity.
          <span key={i} className={LOOKS[piece.look]}>
            {piece.text}
          </span>
        )
      })}
    </div>
  )
}

type UnfoldProps = {
  /** The value as written in the message, with its quotes. */
  readonly written: string
  readonly value: string
  readonly name: string | undefined
}

const SHOWN = 20

const Unfold = ({ written, value, name }: UnfoldProps) => {
  const unfolding = useValueInspection()
  const known = useBenchPart((state) => state.rps.map(({ rp_id }) => rp_id).join(' '))
  const alone = useContext(LinkContext) === undefined
  const [found, setFound] = useState<Inspection>()
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => whenDone(unfolding?.lookAt(value, known.split(' ')), setFound), [unfolding, value, known])
  const label = found === undefined ? undefined : labelOf(found, name, value)
  if (unfolding === undefined || found === undefined || label === undefined)
    return <span className="ink">{written}</span>
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const short = value.length > 2 * SHOWN + 4 ? `"${value.slice(0, SHOWN)}…"` : written
  return (
    <>
      <button
        type="button"
        className="inline text-left ink rounded-4 hovers"
        data-part="unfold"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>{short}</span>
        <span className={`${styles.label} inline-flex middle gap-3 one-line accent bg-accent-soft rounded-4`}>
          <Chevron size={12} strokeWidth={2} />
          {label}
        </span>
      </button>
      {isOpen ? (
        <div className={`${styles.unfolded} ink bg-surface rounded-9 outlined m-4-0-8 pb-10`} data-part="unfolded">
          <unfolding.FindingView found={found} inner />
          {alone ? null : <InspectButton text={value} given={{}} />}
        </div>
      ) : null}
    </>
  )
}

/** Kinds that are not unfolded: plain texts, and values that need no explanation. */
const PLAIN: ReadonlySet<Inspection['kind']> = new Set([
  ...(['text', 'empty', 'json', 'yaml', 'origin', 'url', 'timestamp', 'failure-word', 'error-code', 'oid'] as const),
])
/** Kinds recognized by their length alone; these are labelled with the member's name instead. */
const VAGUE: ReadonlySet<Inspection['kind']> = new Set(['bytes', 'digest', 'raw-signature', 'aaguid', 'ec-point'])

const { credentialId, hexFields } = texts.resend
const { signature, userHandle } = texts.inspector.partTitles

/** Names of members, for values of those kinds. */
const MEMBERS: Readonly<Record<string, string | undefined>> = {
  challenge: texts.inspect.factNames.challenge,
  id: credentialId,
  rawId: credentialId,
  userHandle,
  signature,
  publicKey: hexFields.publicKey,
}

const labelOf = ({ kind, facts }: Inspection, name: string | undefined, value: string): string | undefined => {
  if (PLAIN.has(kind)) return undefined
  const size = byteCount(Math.floor((value.replace(/=+$/, '').length * 3) / 4))
  if (!VAGUE.has(kind)) {
    const whose = facts.find(([fact]) => fact === 'format')?.[1]
    const more = typeof whose === 'string' ? [whose] : []
    return [messages.inspectionKinds[kind], ...more, size].join(texts.inspector.verdict.comma)
  }
  const known = name !== undefined && Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
  return known === undefined ? undefined : known + texts.inspector.verdict.comma + size
}

/** True if a text may be encoded bytes, because it is long and has no spaces. */
const mayUnfold = (value: string): boolean => value.length >= 24 && /^[\w+/=.:#-]+$/.test(value)

/** The armed faults that would be triggered again by the next attempt. */
export const stillArmed = (
  armed: ControlPhone['faults'],
  struck: readonly string[],
): readonly ControlPhone['faults'][number][] => armed.filter(({ fault }) => struck.includes(fault))

/** The failed step before or after this one, starting over at the ends; undefined when none failed. */
export const failedStepFrom = (
  steps: readonly { readonly outcome: string }[],
  { from, by }: { readonly from: number; readonly by: 1 | -1 },
): number | undefined => {
  const failed = steps.flatMap(({ outcome }, i) => (outcome === 'failed' ? [i] : []))
  return by === 1 ? (failed.find((i) => i > from) ?? failed[0]) : (failed.findLast((i) => i < from) ?? failed.at(-1))
}
