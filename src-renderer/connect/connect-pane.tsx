import { Check, Circle, Eye, EyeOff, Plus, ScanLine, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { AccessKeyState, RpState, SignatureState } from '../../src-main/core/contract/control/states.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import type { EventOf } from '../../src-main/core/contract/events.ts'
import { shellWord } from '../../src-main/core/protocol/shell-word.ts'
import { jsonMember } from '../../src-main/views/timeline/json-member.ts'
import { verdictText } from '../../src-main/views/timeline/said.ts'
import { groupOf, type Message, type OwnCalls, type RefusedCall } from '../../src-main/views/timeline/timeline.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { RefusalHead, SignatureHead } from '../inspector/refusal-head.tsx'
import { type Connecting, LANGUAGES, type Language } from '../ui/address.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Button, IconButton, Pick, Problem, Segmented, Tabs } from '../ui/primitives.tsx'
import { PageLink } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo } from '../ui/use-address.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import { useStoredChoice } from '../ui/use-stored.ts'
import styles from './connect-pane.module.css'
import { SIGNERS } from './signers.ts'

type ConnectPaneProps = {
  readonly connect: Connecting
  readonly onClose: () => void
  readonly onWhy: (msgId: string) => void
  readonly onLook: (seq: number) => void
}

type Environment = {
  readonly baseUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  readonly rpId: string
  readonly origin: string
}

const SHELLS = ['bash', 'PowerShell'] as const

type Shell = (typeof SHELLS)[number]

const LINES: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  // Files with environment variables use the same quoting.
  bash: (name, value) => `export ${name}=${shellWord(value)}`,
  // PowerShell also treats typographic quotes as quotes.
  PowerShell: (name, value) => `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
}

export const environmentText = (
  { baseUrl, accessKeyId, secretKey, rpId, origin }: Environment,
  shell: Shell = 'bash',
): string =>
  Object.entries({ BASE_URL: baseUrl, ACCESS_KEY_ID: accessKeyId, SECRET_KEY: secretKey, RP_ID: rpId, ORIGIN: origin })
    .map(([name, value]) => LINES[shell](name, value))
    .join('\n')

type ConnectStepsProps = Omit<ProgressInput, 'own'> & Pick<ConnectPaneProps, 'onWhy' | 'onLook'>

const ConnectSteps = ({ rp, keys, foreignKeys, onWhy, onLook }: ConnectStepsProps) => {
  const words = texts.connect
  const own = useBenchPart(({ timeline }) => timeline.own)
  const asked = own.byRp[rp]?.asked
  const message = useBenchPart(({ timeline }) => (asked === undefined ? undefined : groupOf(timeline, asked)?.message))
  const { done, refused } = connectProgress({ own, rp, keys, foreignKeys })
  const next = STEPS.find((step) => !done[step])
  // Even after all steps are done, another program of the same RP may start a ceremony.
  const waits = message?.state === 'init' || message?.state === 'bind'
  const helpAt = next === 'scanned' || next === 'signedIn' ? next : next === undefined && waits ? 'signedIn' : undefined
  return (
    <section className={`${styles.steps} rigid scrolls line-above p-10-16-12`} aria-label={words.steps}>
      <ol className="grid gap-2">
        {STEPS.map((step) => {
          const state = refused?.at === step ? 'refused' : done[step] ? 'done' : step === next ? 'next' : 'later'
          const Icon = state === 'done' ? Check : state === 'refused' ? X : Circle
          const detail: ReactNode =
            refused?.at === step ? (
              <Refusal key={refused.seq} seq={refused.seq} stray={refused.stray} onLook={onLook} />
            ) : step === helpAt && message !== undefined ? (
              <CeremonyHelp message={message} onWhy={onWhy} />
            ) : step === next ? (
              <p>{words.waiting[step]}</p>
            ) : null
          return (
            <li key={step} data-step={step} data-state={state} aria-current={step === next ? 'step' : undefined}>
              <span className={`${styles.name} row gap-8 weight-530 min-h-26 ${COLOURS[state]}`}>
                <Icon size={16} strokeWidth={state === 'done' || state === 'refused' ? 2.5 : 1.75} />
                {words.names[step]}
                <span className="unseen">{words.states[state]}</span>
              </span>
              {detail === null ? null : (
                <div className={`${styles.detail} row wraps gap-6-8 muted p-0-0-6-24`}>{detail}</div>
              )}
            </li>
          )
        })}
      </ol>
      <p className="unseen" role="status">
        {refused === undefined
          ? words.soFar(STEPS.filter((step) => done[step]).length)
          : words.refusedAt(words.names[refused.at])}
      </p>
      {next === undefined && refused === undefined ? <p className="ok weight-530 p-6-0-0">{words.end}</p> : null}
    </section>
  )
}

const COLOURS = { done: 'ok', next: 'ink', refused: 'fail', later: 'faint' } as const

const STEPS = ['reached', 'signed', 'scanned', 'signedIn'] as const

type ConnectStep = (typeof STEPS)[number]

type Progress = {
  readonly done: Readonly<Record<ConnectStep, boolean>>
  /** The refusal that blocks progress, with the step that it blocks. */
  readonly refused?: RefusedCall & {
    readonly at: ConnectStep
    /** True if nothing in the call identifies this RP. */
    readonly stray: boolean
  }
}

type ProgressInput = {
  readonly own: OwnCalls
  readonly rp: string
  readonly keys: readonly string[]
  readonly foreignKeys: readonly string[]
}

/** Without other RPs. Refused calls with unknown keys are marked as stray. */
export const connectProgress = ({ own, rp, keys, foreignKeys }: ProgressInput): Progress => {
  const server = own.byRp[rp]
  const named = latest(keys.map((key) => own.byKey[key]))
  const stray = latest(
    Object.entries(own.byKey).map(([key, call]) =>
      keys.includes(key) || foreignKeys.includes(key) ? undefined : call,
    ),
  )
  const done = {
    reached: server !== undefined || named !== undefined,
    signed: server !== undefined,
    scanned: server?.scanned === true,
    signedIn: server?.signedIn !== undefined,
  }
  const signed = server?.signed ?? 0
  // After the first valid signature, calls with unknown or no keys are attributed to another program.
  const unsigned = latest([named, done.signed ? undefined : stray])
  if (unsigned !== undefined && unsigned.seq > signed) {
    const isStray = unsigned !== named
    return { done, refused: { ...unsigned, at: isStray && !done.reached ? 'reached' : 'signed', stray: isStray } }
  }
  const { refused } = server ?? {}
  if (refused === undefined || refused.seq !== signed || done.signedIn) return { done }
  return { done, refused: { ...refused, at: done.scanned ? 'signedIn' : 'scanned', stray: false } }
}

const latest = (calls: readonly (RefusedCall | undefined)[]): RefusedCall | undefined =>
  calls.reduce((best, call) => (call !== undefined && call.seq > (best?.seq ?? 0) ? call : best), undefined)

/** Maximum number of phones in this pane; the bench shows all of them. */
const MAX_PHONES = 3

const CeremonyHelp = ({ message, onWhy }: { readonly message: Message; readonly onWhy: (msgId: string) => void }) => {
  const words = texts.connect.ceremony
  const phones = useBenchPart((state) => state.phones)
  const { send, problem } = useRunAction()
  const { state, ceremony, url, msgId, delivered } = message
  if (state === 'init' && message.method !== 'push') {
    return (
      <>
        <p>{words.init[ceremony]}</p>
        {phones.slice(0, MAX_PHONES).map(({ id, name }) => (
          <Button
            Icon={ScanLine}
            key={id}
            look="primary"
            onClick={() => send('phones.scan', { params: { id }, body: { url } })}
            text={words.scan(name)}
          />
        ))}
        {phones.length === 0 ? (
          <Button
            Icon={Plus}
            look="primary"
            onClick={() => send('phones.create', { body: { name: texts.phone.names[0] } })}
            text={texts.phone.addFirst}
          />
        ) : null}
        <Problem problem={problem} />
      </>
    )
  }
  if (state === 'init') return <p>{words.pushed}</p>
  if (state === 'bind') return <p>{words.bind}</p>
  if (state === 'success') return <p>{delivered ? words.registered : words.unread}</p>
  return (
    <>
      <p>{words.ended(verdictText(message))}</p>
      {state === 'fail' ? <Button look="ghost" small onClick={() => onWhy(msgId)} text={texts.timeline.why} /> : null}
    </>
  )
}

type RefusalProps = { readonly seq: number; readonly stray: boolean; readonly onLook: (seq: number) => void }

const Refusal = ({ seq, stray, onLook }: RefusalProps) => {
  const words = texts.connect
  const { store } = useTools()
  const event = useBenchPart(() => store.lookUp(seq))
  const missing = event === undefined
  useEffect(() => {
    if (missing) store.want([seq])
  }, [missing, seq, store])
  if (event?.kind !== 'exchange') return null
  return (
    <div className={`${styles.refusal} grid fill gap-4 starts`}>
      {stray ? <p>{words.stray}</p> : null}
      {event.response.code === errors.signature_mismatch.code ? (
        <Mismatch exchange={event} />
      ) : (
        <RefusalHead exchange={event} />
      )}
      <Button look="ghost" small onClick={() => onLook(seq)} text={words.look} />
    </div>
  )
}

const Mismatch = ({ exchange }: { readonly exchange: EventOf<'exchange'> }) => {
  const { body } = exchange.response
  const explanation = useQuery(
    (client) => client.call('events.signature', { params: { seq: String(exchange.seq) } }),
    String(exchange.seq),
  )
  const data = jsonMember(body, 'data')
  const { canonical_request: canonical = '', strings_to_sign: strings = [] } = (data ?? {}) as {
    readonly canonical_request?: string
    readonly strings_to_sign?: readonly string[]
  }
  const fix = explanation === undefined ? undefined : fixOf(explanation)
  return (
    <>
      <SignatureHead explanation={explanation} computed={{ canonical, toSign: strings[0] ?? '' }} />
      {fix === undefined ? null : (
        <p>
          <b>{texts.inspector.refused.advice}</b> {texts.connect.fix[fix]}
        </p>
      )}
    </>
  )
}

const fixOf = ({ outcome, difference, signed_well }: SignatureState) => {
  if (outcome === 'holds') return 'again'
  if (difference !== undefined) return 'line'
  return signed_well === undefined ? 'secret' : 'body'
}

const USUAL_SHELL: Shell = navigator.userAgent.includes('Windows') ? 'PowerShell' : 'bash'

const HIDDEN = '•'.repeat(20)

/** The secret is fetched only when it is shown or copied. */
const EnvironmentBlock = ({ rp, access }: { readonly rp: RpState; readonly access: AccessKeyState | undefined }) => {
  const words = texts.connect
  const baseUrl = useBenchPart((state) => state.overview?.addresses.base_url)
  const { act, send, problem } = useRunAction()
  const [shown, setShown] = useState<{ readonly key: string; readonly secret: string }>()
  const [shell, setShell] = useStoredChoice('handset.shell', SHELLS, USUAL_SHELL)
  if (baseUrl === undefined) return null
  if (access === undefined) {
    return (
      <div className="grid gap-8 starts">
        <p>{texts.console.keys.none}</p>
        <Button
          Icon={Plus}
          look="primary"
          onClick={() => send('keys.create', { params: { rp: rp.id }, body: {} })}
          text={texts.console.keys.add}
        />
        <Problem problem={problem} />
      </div>
    )
  }
  const secret = shown?.key === access.id ? shown.secret : undefined
  const reveal = async (): Promise<string> => {
    let text = secret
    await act(async (client) => {
      text ??= (await client.call('keys.reveal', { params: { rp: rp.id, key: access.id }, body: {} })).secret
    })
    if (text === undefined) throw new Error('refused')
    return text
  }
  const textWith = (secretKey: string): string =>
    environmentText({ baseUrl, accessKeyId: access.id, secretKey, rpId: rp.rp_id, origin: rp.origins[0] ?? '' }, shell)
  return (
    <>
      <div className="bg-surface-2 rounded-9 outlined">
        <pre className="small leading-18 breaks preformatted p-10-12" data-part="connect-environment">
          {textWith(secret ?? HIDDEN)}
        </pre>
        <div className="flex wraps gap-4 line-above p-4-6">
          <CopyButton name={words.copyEnvironment} text={async () => `${textWith(await reveal())}\n`} />
          <Button
            Icon={secret === undefined ? Eye : EyeOff}
            look="ghost"
            onClick={() =>
              secret === undefined
                ? void reveal().then(
                    (text) => setShown({ key: access.id, secret: text }),
                    () => undefined,
                  )
                : setShown(undefined)
            }
            text={secret === undefined ? words.showSecret : words.hideSecret}
          />
          <span className="push-right">
            <Segmented
              name={words.shell}
              value={shell}
              options={SHELLS.map((value) => ({ value, text: value }))}
              onPick={setShell}
            />
          </span>
        </div>
      </div>
      <Problem problem={problem} />
    </>
  )
}

const TABS = LANGUAGES.map((value) => ({ value, text: SIGNERS[value].name }))

export const ConnectPane = ({ connect, onClose, onWhy, onLook }: ConnectPaneProps) => {
  const words = texts.connect
  const rps = useBenchPart((state) => state.rps)
  const rp = connect.rp === undefined ? rps[0] : rps.find(({ id }) => id === connect.rp)
  const [last, keepLanguage] = useStoredChoice<Language>('handset.connect', LANGUAGES, 'curl')
  const language = connect.language ?? last
  const program = SIGNERS[language]
  const everyKey = useQuery(async (client) => {
    const lists = await Promise.all(rps.map(({ id }) => client.call('keys.list', { params: { rp: id } })))
    return lists.flatMap(({ keys }) => keys)
  }, rps.map(({ id }) => id).join())
  const keys = (everyKey ?? []).filter((key) => key.rp === rp?.id)
  const pane = useRef<HTMLElement>(null)
  // The clicked element no longer exists, so this pane takes the focus.
  useEffect(() => {
    if (document.activeElement === document.body) pane.current?.focus()
  }, [])
  const move = (to: Connecting) => navigateTo({ screen: 'bench', connect: to }, 'replace')
  return (
    <section
      className={`${styles.connect} pane line-left`}
      data-part="timeline"
      aria-label={words.title}
      ref={pane}
      tabIndex={-1}
    >
      <div className="row rigid gap-8 line-below pane-head">
        <h2 className="pane-title one-line">{words.title}</h2>
        {rps.length > 1 && rp !== undefined ? (
          <Pick
            name={texts.rp.pane}
            value={rp.id}
            options={rps.map(({ id, name }) => ({ value: id, text: name }))}
            onPick={(id) => move({ rp: id, language })}
          />
        ) : (
          <span className="narrows muted clip">{rp?.name}</span>
        )}
        <span className="push-right">
          <PageLink title={words.title} />
        </span>
        <IconButton Icon={X} name={words.close} onClick={onClose} />
      </div>
      {rp === undefined ? (
        <p className="empty">{rps.length === 0 ? texts.rp.none : words.noSuchRp}</p>
      ) : (
        <>
          <div className={`${styles.scroll} column grow shortens gap-10 scrolls p-14-16`}>
            <h3 className="text-13 weight-560">{words.environment}</h3>
            {everyKey === undefined ? null : (
              <EnvironmentBlock key={rp.id} rp={rp} access={keys.find(({ state }) => state === 'active')} />
            )}
            <h3 className="text-13 weight-560 mt-6">{words.program}</h3>
            <Tabs
              name={words.languages}
              id="connect"
              value={language}
              tabs={TABS}
              onPick={(picked) => {
                keepLanguage(picked)
                move({ rp: rp.id, language: picked })
              }}
            />
            <div className="bg-surface-2 rounded-9 outlined">
              <div
                className={`${styles.program} scrolls max-h-220 rounded-9-9-0-0`}
                role="tabpanel"
                id="connect-panel"
                aria-labelledby={`connect-tab-${language}`}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
                tabIndex={0}
              >
                <pre className="small leading-18 breaks preformatted p-10-12" data-part="connect-program">
                  {program.text}
                </pre>
              </div>
              <div className="flex wraps gap-4 line-above p-4-6">
                <CopyButton name={words.copyProgram(program.file)} text={program.text} />
              </div>
            </div>
            <p className="muted">
              {words.saveAs} <code className="small ink">{program.file}</code> {words.andRun}
              <span className="row gap-4">
                <code className="small ink" data-part="connect-run">
                  {program.run}
                </code>
                <CopyButton iconOnly name={words.copyRun} text={program.run} />
              </span>
            </p>
          </div>
          {everyKey === undefined ? null : (
            <ConnectSteps
              rp={rp.id}
              keys={keys.map(({ id }) => id)}
              foreignKeys={everyKey.filter((key) => key.rp !== rp.id).map(({ id }) => id)}
              onWhy={onWhy}
              onLook={onLook}
            />
          )}
        </>
      )}
    </section>
  )
}
