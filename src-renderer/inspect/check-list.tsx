import { textOf } from '../../src-main/core/messages/text.ts'
import type { Check } from '../../src-main/views/inspect/inspection.ts'
import { rangeText } from '../inspector/decoded-view.tsx'
import { Compared, Outcome } from '../inspector/step-detail.tsx'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import styles from './check-list.module.css'

type CheckListProps = {
  readonly checks: readonly Check[]
  readonly name: string
  /** Shows the bytes that a check is about. */
  readonly onMark?: ((check: Check) => void) | undefined
  readonly marked?: Check | undefined
}

/** Steps of a verdict in their order; failed ones are open. */
export const CheckList = ({ checks, name, onMark, marked }: CheckListProps) => (
  <ol className={styles.checks} aria-label={name}>
    {checks.map((check, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a check may stand twice, of two certificates.
      <li key={`${check.name}${i}`} data-outcome={check.outcome}>
        {hasMore(check) ? (
          <details open={check.outcome === 'failed'}>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a control, which takes Enter and Space, too. */}
            <summary
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
                <code className={styles.at}>
                  {check.at.part} {rangeText(check.at)}
                </code>
              )}
            </summary>
            <Why check={check} />
            {check.expected === undefined && check.received === undefined ? null : <Compared step={check} />}
          </details>
        ) : (
          <CheckLine check={check} />
        )}
      </li>
    ))}
  </ol>
)

const hasMore = ({ word, expected, received }: Check): boolean =>
  word !== undefined || expected !== undefined || received !== undefined

export const CheckLine = ({ check }: { readonly check: Check }) => (
  <span className={styles.line}>
    <Outcome outcome={check.outcome} />
    {/^7\.\d/.test(check.name) ? <code>{check.name}</code> : null}
    <span>{checkTitle(check)}</span>
  </span>
)

const Why = ({ check }: { readonly check: Check }) => {
  const why = checkReason(check)
  return why === undefined ? null : <p className={styles.why}>{why}</p>
}

const TITLES: Readonly<Record<string, string>> = {
  ...messages.failures,
  ...messages.signingMistakes,
  ...messages.inspectionChecks,
  ...messages.steps,
}

export const checkTitle = ({ name }: Check): string => (Object.hasOwn(TITLES, name) ? (TITLES[name] ?? name) : name)

/** The failure in a sentence: most titles say what should be. */
export const failureText = (checks: readonly Check[]): string | undefined => {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const said = failed.map((check) => checkReason(check) ?? wrongIn(check.name)).find((text) => text !== undefined)
  const [first] = failed
  return said ?? (first === undefined ? undefined : texts.inspect.doesNotHold(checkTitle(first)))
}

/** The mistake, for checks that are named after one. */
const wrongIn = (name: string): string | undefined => {
  const known: Readonly<Record<string, string>> = { ...messages.failures, ...messages.signingMistakes }
  return Object.hasOwn(known, name) ? known[name] : undefined
}

/** Why it failed, where its title does not say so. */
export const checkReason = (check: Check): string | undefined => {
  const why = check.word === undefined ? undefined : textOf(messages.failures, { code: check.word })
  return why === checkTitle(check) ? undefined : why
}
