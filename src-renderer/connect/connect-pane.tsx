import { Eye, EyeOff, Plus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { AccessKeyState, RpState } from '../../src-main/core/contract/control/states.ts'
import { shellWord } from '../../src-main/core/protocol/shell-word.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { type Connecting, LANGUAGES, type Language } from '../ui/address.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Pick } from '../ui/pick.tsx'
import { Problem } from '../ui/problem.tsx'
import { PageLink } from '../ui/section-head.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAct, useAsked } from '../ui/use-asked.ts'
import { useStoredChoice } from '../ui/use-stored.ts'
import styles from './connect-pane.module.css'
import { ConnectSteps } from './connect-steps.tsx'
import { PROGRAMS } from './programs.ts'

type ConnectPaneProps = {
  readonly connect: Connecting
  readonly onClose: () => void
  readonly onWhy: (msgId: string) => void
  readonly onLook: (seq: number) => void
}

/** Configuration for a server: the service and its RP. */
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
  // Files that name variables read it the same way.
  bash: (name, value) => `export ${name}=${shellWord(value)}`,
  // To PowerShell a typographic quote is a quote, too.
  PowerShell: (name, value) => `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
}

export const environmentText = (
  { baseUrl, accessKeyId, secretKey, rpId, origin }: Environment,
  shell: Shell = 'bash',
): string =>
  Object.entries({
    BASE_URL: baseUrl,
    ACCESS_KEY_ID: accessKeyId,
    SECRET_KEY: secretKey,
    RP_ID: rpId,
    ORIGIN: origin,
  })
    .map(([name, value]) => LINES[shell](name, value))
    .join('\n')

const USUAL_SHELL: Shell = navigator.userAgent.includes('Windows') ? 'PowerShell' : 'bash'

const HIDDEN = '•'.repeat(20)

/** The configuration for a server, with this RP’s values. The secret is asked for when it is shown or copied. */
const EnvironmentBlock = ({ rp, access }: { readonly rp: RpState; readonly access: AccessKeyState | undefined }) => {
  const words = texts.connect
  const baseUrl = useBenchPart((state) => state.overview?.addresses.base_url)
  const { act, problem } = useAct()
  const [shown, setShown] = useState<{ readonly key: string; readonly secret: string }>()
  const [shell, setShell] = useStoredChoice('handset.shell', SHELLS, USUAL_SHELL)
  if (baseUrl === undefined) return null
  if (access === undefined) {
    return (
      <div className={`${styles.noKey} grid gap-8`}>
        <p>{texts.console.keys.none}</p>
        <Button
          look="primary"
          onClick={() => void act((client) => client.call('keys.create', { params: { rp: rp.id }, body: {} }))}
        >
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {texts.console.keys.add}
        </Button>
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
      <div className={styles.block}>
        <pre data-part="connect-environment">{textWith(secret ?? HIDDEN)}</pre>
        <div className={styles.tools}>
          <CopyButton name={words.copyEnvironment} text={async () => `${textWith(await reveal())}\n`} />
          <Button
            look="ghost"
            onClick={() =>
              secret === undefined
                ? void reveal().then(
                    (text) => setShown({ key: access.id, secret: text }),
                    () => undefined,
                  )
                : setShown(undefined)
            }
          >
            {secret === undefined ? (
              <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
            ) : (
              <EyeOff size={14} strokeWidth={1.75} aria-hidden="true" />
            )}
            {secret === undefined ? words.showSecret : words.hideSecret}
          </Button>
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

const TABS = LANGUAGES.map((value) => ({ value, text: PROGRAMS[value].name }))

/** *Connect your server*: the environment, a program that runs as it stands, and how far its calls have come. */
export const ConnectPane = ({ connect, onClose, onWhy, onLook }: ConnectPaneProps) => {
  const words = texts.connect
  const rps = useBenchPart((state) => state.rps)
  const rp = connect.rp === undefined ? rps[0] : rps.find(({ id }) => id === connect.rp)
  const [last, keepLanguage] = useStoredChoice<Language>('handset.connect', LANGUAGES, 'curl')
  const language = connect.language ?? last
  const program = PROGRAMS[language]
  const everyKey = useAsked(async (client) => {
    const lists = await Promise.all(rps.map(({ id }) => client.call('keys.list', { params: { rp: id } })))
    return lists.flatMap(({ keys }) => keys)
  }, rps.map(({ id }) => id).join())
  const keys = (everyKey ?? []).filter((key) => key.rp === rp?.id)
  const pane = useRef<HTMLElement>(null)
  // The clicked element is gone: the keyboard goes on here.
  useEffect(() => {
    if (document.activeElement === document.body) pane.current?.focus()
  }, [])
  const move = (to: Connecting) => go({ screen: 'bench', connect: to }, 'replace')
  return (
    <section
      className={`pane ${styles.connect}`}
      data-part="timeline"
      aria-label={words.title}
      ref={pane}
      tabIndex={-1}
    >
      <div className={`${styles.head} row rigid gap-8 line-below`}>
        <h2>{words.title}</h2>
        {rps.length > 1 && rp !== undefined ? (
          <Pick
            name={texts.rp.pickRp}
            value={rp.id}
            options={rps.map(({ id, name }) => ({ value: id, text: name }))}
            onPick={(id) => move({ rp: id, language })}
          />
        ) : (
          <span className={`${styles.rp} clip muted`}>{rp?.name}</span>
        )}
        <span className="push-right">
          <PageLink title={words.title} />
        </span>
        <IconButton small name={words.close} onClick={onClose}>
          <X size={14} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </div>
      {rp === undefined ? (
        <p className="empty">{rps.length === 0 ? texts.rp.none : words.noSuchRp}</p>
      ) : (
        <>
          <div className={`${styles.scroll} column grow gap-10 scrolls`}>
            <h3>{words.environment}</h3>
            {everyKey === undefined ? null : (
              <EnvironmentBlock key={rp.id} rp={rp} access={keys.find(({ state }) => state === 'active')} />
            )}
            <h3>{words.program}</h3>
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
            <div className={styles.block}>
              <div
                className={`${styles.program} scrolls`}
                role="tabpanel"
                id="connect-panel"
                aria-labelledby={`connect-tab-${language}`}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
                tabIndex={0}
              >
                <pre data-part="connect-program">{program.text}</pre>
              </div>
              <div className={styles.tools}>
                <CopyButton name={words.copyProgram(program.file)} text={program.text} />
              </div>
            </div>
            <p className={`${styles.run} muted`}>
              {words.saveAs} <code>{program.file}</code> {words.andRun}
              <span>
                <code data-part="connect-run">{program.run}</code>
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
