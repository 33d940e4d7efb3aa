import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useBenchPart } from '../bench/use-bench.ts'
import { type Connecting, LANGUAGES, type Language } from '../ui/address.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { Pick } from '../ui/pick.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAsked } from '../ui/use-asked.ts'
import { useStoredChoice } from '../ui/use-stored.ts'
import styles from './connect-pane.module.css'
import { ConnectSteps } from './connect-steps.tsx'
import { EnvironmentBlock } from './environment-block.tsx'
import { PROGRAMS } from './programs.ts'

type ConnectPaneProps = {
  readonly connect: Connecting
  readonly onClose: () => void
  readonly onWhy: (msgId: string) => void
  readonly onLook: (seq: number) => void
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
      <div className={styles.head}>
        <h2>{words.title}</h2>
        {rps.length > 1 && rp !== undefined ? (
          <Pick
            name={texts.rp.pickRp}
            value={rp.id}
            options={rps.map(({ id, name }) => ({ value: id, text: name }))}
            onPick={(id) => move({ rp: id, language })}
          />
        ) : (
          <span className={styles.rp}>{rp?.name}</span>
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
          <div className={styles.scroll}>
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
                className={styles.program}
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
            <p className={styles.run}>
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
