import { CircleHelp, ShieldCheck, ShieldX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { FactValue } from '../../src-main/core/contract/inspection.ts'
import { inspectionMeaning, inspectionTitle, unreadText } from '../../src-main/core/messages/inspection-text.ts'
import { textOf } from '../../src-main/core/protocol/coded.ts'
import { type Check, type Inspection, isUnverifiable } from '../../src-main/views/inspect/inspection.ts'
import { DecodedParts, rangeText } from '../inspector/decoded-view.tsx'
import { Compared, OUTCOME_LOOKS, Outcome } from '../inspector/steps-view.tsx'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './finding-view.module.css'

type FindingViewProps = { readonly found: Inspection; readonly inner?: boolean }

export const FindingView = ({ found, inner = false }: FindingViewProps) => {
  const words = texts.inspect
  const Heading = inner ? 'h3' : 'h2'
  // An archive has one check for each of its exchanges.
  const isArchive = found.kind === 'har'
  const [marked, setMarked] = useState<Check>()
  const parts = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (marked !== undefined) parts.current?.querySelector('b[data-on]')?.scrollIntoView({ block: 'center' })
  }, [marked])
  return (
    <section
      className={inner ? `${styles.finding} cut outlined rounded-9 m-16-16-0` : styles.finding}
      data-inner={inner || undefined}
      data-part="finding"
      data-kind={found.kind}
    >
      <header className="flex wraps baseline gap-2-12 px-16 pt-16 pb-10">
        <Heading className={inner ? 'text-14 weight-600 leading-20' : 'title-19'}>
          {inner ? messages.inspectionKinds[found.kind] : inspectionTitle(messages, found.kind)}
        </Heading>
        {PLAIN.has(found.written.join()) ? null : (
          <small className="small faint">{words.writtenAs(found.written.map(writingOf).join(' → '))}</small>
        )}
      </header>
      <Verdict found={found} />
      <Meaning found={found} inner={inner} />
      <Checks
        checks={isArchive ? [] : found.checks}
        onMark={found.parts.length === 0 ? undefined : setMarked}
        marked={marked}
      />
      {found.facts.length === 0 ? null : (
        <dl className={`${styles.facts} px-16 pt-2 pb-14`} aria-label={words.facts}>
          {found.facts.map(([name, value], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fact may appear twice.
            <div className="grid gap-0-12 p-1-0" key={i} data-lines={factText(value).includes('\n') || undefined}>
              <dt className="small faint breaks leading-20">{factName(name)}</dt>
              <dd className="mono-12 breaks">{typeof value === 'string' ? <code>{value}</code> : factText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {found.parts.length === 0 ? null : (
        <>
          <p className="flex gap-10 small muted line-above baseline weight-540 leading-18 px-16 py-8">
            {words.decoded}
          </p>
          <div className={`${styles.parts} line-above`} ref={parts}>
            <DecodedParts parts={found.parts} led={marked?.at} key={found.parts.map(({ name }) => name).join()} />
          </div>
        </>
      )}
      {found.within.map((each, i) =>
        isArchive ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: an archive may have the same exchange twice.
          <Entry key={i} found={each} check={found.checks[i]} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: inner inspections have no other identity.
          <FindingView key={i} found={each} inner />
        ),
      )}
    </section>
  )
}

/** Unfolds the nested finding, shown as if its text had been pasted. */
const Entry = ({ found, check }: { readonly found: Inspection; readonly check: Check | undefined }) => {
  const [open, setOpen] = useState(false)
  return (
    <details
      className={`line-above ${open ? 'pb-16' : ''}`}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="inset-focus unmarked hovers breaks px-16 py-5" data-outcome={check?.outcome}>
        {check === undefined ? null : <CheckLine check={check} />}
      </summary>
      {open ? <FindingView found={found} inner /> : null}
    </details>
  )
}

const Checks = ({ checks, ...marking }: Omit<Parameters<typeof CheckList>[0], 'name'>) => {
  const words = texts.inspect
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const others = checks.filter(({ outcome }) => outcome !== 'failed')
  const passed = others.filter(({ outcome }) => outcome === 'passed').length
  return (
    <>
      {failed.length === 0 ? null : <CheckList checks={failed} name={words.failedChecks} {...marking} />}
      {others.length === 0 ? null : (
        <details className="pb-12">
          <summary className="muted rounded-6 hovers mx-8 px-8 py-3">
            {words.checksPassed(passed, checks.length)}
          </summary>
          <CheckList checks={others} name={words.otherChecks} />
        </details>
      )}
    </>
  )
}

/** Kinds that need no label. */
const PLAIN: ReadonlySet<string> = new Set(['', 'text', 'bytes'])

const writingOf = (name: string): string => textOf(texts.inspect.writings, { code: name })

export const factText = (value: FactValue): string =>
  typeof value === 'string' ? value : textOf(messages.inspectionWords, value)

/** Names from the input stay unchanged; a certificate's number stays in front. */
const factName = (name: string): string => {
  const [, nth = '', bare = name] = /^(\d+\. )(.*)$/.exec(name) ?? []
  return nth + textOf(texts.inspect.factNames, { code: bare })
}

const Verdict = ({ found }: { readonly found: Inspection }) => {
  const words = texts.inspect
  const { verdict = 'open' } = found
  const whys = {
    verified: words.verifiedLead,
    refused: failureText(found.checks),
    open: isUnverifiable(found) ? words.beyond : found.missing.length > 0 ? missingText(found) : undefined,
  }
  const Icon = VERDICT_ICONS[verdict]
  const why = whys[verdict]
  if (verdict === 'open' && why === undefined) return null
  return (
    <p
      className={`${styles.verdict} row wraps gap-2-8 rounded-7 bg-tone-soft mx-16 mb-12 px-12 py-8`}
      data-verdict={verdict}
      role="status"
    >
      <Icon className="tone-fill" size={18} />
      <b className="text-14 weight-600 tone">{verdict === 'open' ? words.noVerdict : words[verdict]}</b>
      {why === undefined ? null : <span className="muted pretty">{why}</span>}
    </p>
  )
}

const VERDICT_ICONS = { verified: ShieldCheck, refused: ShieldX, open: CircleHelp } as const

const missingText = ({ missing }: Inspection): string =>
  texts.inspect.needs(missing.map((wanted) => texts.inspect.wants[wanted]).join(texts.inspector.verdict.comma))

/** Explains a code and what to do; for a file, says which screen opens it. */
const Meaning = ({ found: { kind, facts }, inner }: Required<FindingViewProps>) => {
  const name = facts.find(([fact]) => fact === 'name')?.[1]
  const next: Readonly<Record<string, string>> = texts.inspect.next
  const meaning =
    inspectionMeaning(messages, { kind, name: typeof name === 'string' ? name : '' }) ??
    (Object.hasOwn(next, kind) ? next[kind] : undefined) ??
    (inner ? undefined : unreadText(messages, kind))
  return meaning === undefined ? null : <p className="px-16 pb-12 pretty max-w-720">{meaning}</p>
}

type CheckListProps = {
  readonly checks: readonly Check[]
  readonly name: string
  readonly onMark?: ((check: Check) => void) | undefined
  readonly marked?: Check | undefined
}

const CheckList = ({ checks, name, onMark, marked }: CheckListProps) => (
  <ol className={`${styles.checks} py-4`} aria-label={name}>
    {checks.map((check, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two certificates may have the same check.
      <li key={`${check.name}${i}`} data-outcome={check.outcome}>
        {hasMore(check) ? (
          <details open={check.outcome === 'failed'}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control, which takes Enter and Space, too. */}
            <summary
              className="inset-focus unmarked hovers px-16 py-3"
              title={onMark !== undefined && check.at !== undefined ? texts.inspect.mark : undefined}
              onClick={(event) => {
                if (onMark === undefined || check.at === undefined || marked === check) return
                // An open check stays open.
                if (event.currentTarget.closest('details')?.open) event.preventDefault()
                onMark(check)
              }}
            >
              <CheckLine check={check} />
              {onMark === undefined || check.at === undefined ? null : (
                <code className="tiny block accent pl-24">
                  {check.at.part} {rangeText(check.at)}
                </code>
              )}
            </summary>
            <Why check={check} />
            {check.expected === undefined && check.received === undefined ? null : <Compared step={check} />}
          </details>
        ) : (
          <div className="px-16 py-3">
            <CheckLine check={check} />
          </div>
        )}
      </li>
    ))}
  </ol>
)

const hasMore = ({ word, expected, received }: Check): boolean =>
  word !== undefined || expected !== undefined || received !== undefined

const CheckLine = ({ check }: { readonly check: Check }) => (
  <span
    className={`${styles.line} grid gap-8 baseline ${OUTCOME_LOOKS[check.outcome]} ${check.outcome === 'failed' ? 'weight-580' : ''}`}
  >
    <Outcome outcome={check.outcome} />
    {/^7\.\d/.test(check.name) ? <code className="tiny faint min-w-44">{check.name}</code> : null}
    <span className="third-column pretty">{checkTitle(check)}</span>
  </span>
)

const Why = ({ check }: { readonly check: Check }) => {
  const why = checkReason(check)
  return why === undefined ? null : <p className="muted pt-2 pr-16 pb-4 pl-40">{why}</p>
}

const WRONG: Readonly<Record<string, string>> = { ...messages.failures, ...messages.signingMistakes }
const TITLES: Readonly<Record<string, string>> = { ...WRONG, ...messages.inspectionChecks, ...messages.steps }

const checkTitle = ({ name }: Check): string => textOf(TITLES, { code: name })

/** The failure as a sentence, because most titles describe the expected result. */
const failureText = (checks: readonly Check[]): string | undefined => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const reason = failed.map((check) => checkReason(check) ?? wrongIn(check.name)).find((text) => text !== undefined)
  const [first] = failed
  return reason ?? (first === undefined ? undefined : texts.inspect.doesNotHold(checkTitle(first)))
}

const wrongIn = (name: string): string | undefined => (Object.hasOwn(WRONG, name) ? WRONG[name] : undefined)

const checkReason = (check: Check): string | undefined => {
  const why = check.word === undefined ? undefined : textOf(messages.failures, { code: check.word })
  return why === checkTitle(check) ? undefined : why
}
