import * as icons from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef, useState } from 'react'
import { isFinal } from '../../src-main/core/protocol/message-state.ts'
import { CODE_LANGUAGES, LANGUAGE_NAMES } from '../../src-main/views/code/languages.ts'
import { isRefused, type Message } from '../../src-main/views/timeline/timeline.ts'
import type { Selection } from '../bench/selection.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { useAction } from '../palette/actions.ts'
import type { InspectorTab } from '../ui/address.ts'
import { BugReportButton, CopyButton } from '../ui/copy-button.tsx'
import { arrowStep } from '../ui/effects.ts'
import { language } from '../ui/language.ts'
import { Chip, IconButton, optionsOf, Pick, Tabs } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useLinkOf } from '../ui/use-address.ts'
import { useStored, useStoredChoice } from '../ui/use-stored.ts'
import { type Exchange, exchangeJson } from './exchange-lines.ts'
import styles from './inspector-pane.module.css'
import { InspectorPart, type ResendLinks } from './inspector-part.tsx'
import { readAuthorization } from './refusal-proof.ts'

type InspectorPaneProps = {
  readonly selection: Selection | undefined
  /** True if the address names an event that the workspace does not have. */
  readonly lost?: boolean
  readonly tab: InspectorTab
  readonly onTab: (tab: InspectorTab) => void
  readonly onIndex: (index: number) => void
  readonly onClose: () => void
  readonly dock: Dock
  readonly onDock: (dock: Dock) => void
  readonly onLook: (seq: number, part: InspectorTab) => void
  /** Absent without a live bench. */
  readonly edit?: (exchange: Exchange, links: ResendLinks) => ReactElement
  readonly onRetried: (message: Message) => void
}

export type Dock = 'bottom' | 'right'

const SMALLEST = 180

export const InspectorPane = ({
  selection,
  lost = false,
  tab,
  onTab,
  onIndex,
  onClose,
  dock,
  onDock,
  onLook,
  edit,
  onRetried,
}: InspectorPaneProps) => {
  const words = texts.inspector
  const usual = innerHeight >= 1000 ? 344 : innerHeight > 840 ? 298 : 236
  const [height, setHeight] = useStored(`handset.inspector.${usual}`, (text) => Number(text) || usual, String)
  const DockIcon = dock === 'bottom' ? icons.PanelRight : icons.PanelBottom
  const recorded = useBenchPart((state) => state.recorded)
  const linkable = useLinkOf() !== undefined
  const about = aboutOf(selection)
  const [held, setHeld] = useState<Exchange>()
  const tabs = [
    ...tabsOf(selection),
    ...(edit !== undefined && isEditable(selection) ? (['resend'] as const) : []),
    ...(held === undefined ? [] : (['compare'] as const)),
  ]
  const hold = (exchange: Exchange | undefined) => {
    setHeld(exchange)
    onTab(exchange === undefined ? 'request' : 'compare')
  }
  const shown = tabs.includes(tab) ? tab : (tabs[0] ?? 'overview')
  const pane = useRef<HTMLElement>(null)
  const dockToggle = useRef<HTMLButtonElement>(null)
  const exchange = selection?.exchange
  const compare = () => hold(held === undefined ? exchange : undefined)
  const turnDock = () => onDock(dock === 'bottom' ? 'right' : 'bottom')
  useAction('close-inspector', pane, onClose)
  useAction('compare', pane, exchange && compare)
  useAction('resend', pane, tabs.includes('resend') ? () => onTab('resend') : undefined)
  useAction('dock', dockToggle, selection && turnDock)
  useAction('show-json', pane, tabs.includes('request') ? () => onTab('request') : undefined)
  useAction('show-hex', pane, tabs.includes('decoded') ? () => onTab('decoded') : undefined)
  return (
    <section
      ref={pane}
      className={`pane ${styles.inspector} line-above`}
      data-part="inspector"
      data-dock={dock}
      aria-label={words.pane}
      style={{ height }}
    >
      <h2 className="unseen">{words.pane}</h2>
      <Splitter size={height} onSize={setHeight} onReset={() => setHeight(usual)} />
      {selection === undefined ? (
        <>
          <IconButton Icon={icons.X} size={15} className={styles.close} name={words.close} onClick={onClose} />
          <p className="empty" role={lost ? 'status' : undefined}>
            {lost ? words.lost : words.empty}
          </p>
        </>
      ) : (
        <>
          <div className={`${styles.head} row rigid gap-10 line-below pane-head h-44`}>
            <Identity selection={selection} onIndex={onIndex} />
            <Tabs
              id="inspector"
              name={words.tabs}
              value={shown}
              tabs={tabs.map((value) => ({ value, text: words[value] }))}
              onPick={onTab}
            />
            <span className="grow" />
            {recorded || selection.message === undefined ? null : <CopyScenarioButton message={selection.message} />}
            {selection.exchange === undefined ? null : (
              <>
                <IconButton
                  Icon={icons.GitCompareArrows}
                  data-do="compare"
                  name={held === undefined ? words.hold : words.letGo}
                  aria-pressed={held !== undefined}
                  onClick={compare}
                />
                <CopyButton
                  name={texts.palette.names['copy-json']}
                  text={exchangeJson(selection.exchange)}
                  command="copy-json"
                  Icon={icons.Braces}
                  iconOnly
                />
                <CodeMenu exchange={selection.exchange} />
              </>
            )}
            {recorded || about === undefined ? null : (
              <BugReportButton name={texts.bugReport.name} about={about} command="bug-report" />
            )}
            {linkable ? (
              <CopyButton name={words.copyLink} text={() => location.href} Icon={icons.Link} iconOnly />
            ) : null}
            {recorded ? null : (
              <IconButton
                Icon={DockIcon}
                size={15}
                ref={dockToggle}
                className={styles.dockToggle}
                name={dock === 'bottom' ? words.dockRight : words.dockBottom}
                onClick={turnDock}
              />
            )}
            <IconButton Icon={icons.X} size={15} name={words.close} onClick={onClose} />
          </div>
          <div
            className="grid grow shortens"
            data-part="inspector-body"
            role="tabpanel"
            id="inspector-panel"
            aria-labelledby={`inspector-tab-${shown}`}
            tabIndex={-1}
          >
            <InspectorPart
              selection={selection}
              tab={shown}
              held={held}
              onRetried={onRetried}
              edit={edit}
              onShow={onLook}
              onCompare={(original, seq) => {
                setHeld(original)
                onLook(seq, 'compare')
              }}
            />
          </div>
        </>
      )}
    </section>
  )
}

const aboutOf = (selection: Selection | undefined) => {
  if (selection?.message !== undefined) return { msg_id: selection.message.msgId }
  return selection?.exchange === undefined ? undefined : { seq: selection.exchange.seq }
}

const isAnswer = ({ row }: Selection): boolean => /(attestation|assertion)$/.test(row.route)

const isEditable = (selection: Selection | undefined): boolean =>
  selection?.exchange !== undefined && (selection.exchange.interface === 'rp' || isAnswer(selection))

const tabsOf = (selection: Selection | undefined): readonly InspectorTab[] => {
  if (selection?.exchange === undefined) return ['overview']
  const { exchange, verdict } = selection
  return [
    'overview',
    'request',
    'response',
    ...(exchange.interface === 'rp' && readAuthorization(exchange) !== undefined ? (['signature'] as const) : []),
    ...(isAnswer(selection) ? (['decoded'] as const) : []),
    ...(verdict === undefined ? [] : (['steps'] as const)),
  ]
}

type IdentityProps = { readonly selection: Selection; readonly onIndex: (index: number) => void }

const Identity = ({ selection: { row, exchange, index }, onIndex }: IdentityProps) => {
  const words = texts.inspector
  const count = row.seqs.length
  return (
    <div className={`${styles.identity} row narrows gap-8 one-line line-right h-24 pr-16 mr-2`}>
      <code className="small cut ellipsis weight-500">
        <em className="faint upright">{row.method}</em> {row.path}
      </code>
      {exchange === undefined ? null : (
        <Chip tone={isRefused(row) ? 'fail' : 'ok'}>
          <code>{exchange.response.code === 0 ? exchange.response.status : exchange.response.code}</code>
        </Chip>
      )}
      {count < 2 ? null : (
        <span className="row small muted">
          <IconButton
            Icon={icons.ChevronLeft}
            name={words.older}
            disabled={index === 0}
            onClick={() => onIndex(index - 1)}
          />
          <span className="digits">{words.foldedOf(index + 1, count)}</span>
          <IconButton
            Icon={icons.ChevronRight}
            name={words.newer}
            disabled={index === count - 1}
            onClick={() => onIndex(index + 1)}
          />
        </span>
      )}
    </div>
  )
}

const CopyScenarioButton = ({ message: { msgId, state } }: { readonly message: Message }) => {
  const { api } = useTools()
  if (!isFinal(state)) return null
  const scenario = async (): Promise<string> => {
    const query = { msg_id: msgId, language }
    const made = await api.call((client) => client.call('events.scenario', { query }))
    return made.ok ? made.value.scenario : Promise.reject(made.error)
  }
  return (
    <CopyButton name={texts.inspector.copyScenario} text={scenario} Icon={icons.ScrollText} command="copy-scenario" />
  )
}

const CodeMenu = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector
  const [language, setLanguage] = useStoredChoice('handset.code', CODE_LANGUAGES, 'curl')
  const code = async () => (await import('./write-code.ts')).writeCode(exchange, language)
  return (
    <span className="inline-flex middle gap-4 small">
      <CopyButton
        name={words.copyAs(LANGUAGE_NAMES[language])}
        text={code}
        Icon={icons.Terminal}
        command="copy-code"
        iconOnly
      />
      <Pick
        name={words.codeLanguage}
        value={language}
        options={optionsOf(CODE_LANGUAGES, LANGUAGE_NAMES)}
        onPick={setLanguage}
        className={styles.language ?? ''}
      />
    </span>
  )
}

type SplitterProps = { readonly size: number; readonly onSize: (size: number) => void; readonly onReset: () => void }

/** The upper edge of the pane below it: dragging up enlarges the pane, arrow keys move by 8 (with Shift by 32). */
const Splitter = ({ size, onSize, onReset }: SplitterProps) => {
  const [largest] = useState(() => Math.max(SMALLEST, innerHeight - 380))
  const [drag, setDrag] = useState<{ readonly y: number; readonly size: number }>()
  const within = (value: number) => onSize(Math.round(Math.min(largest, Math.max(SMALLEST, value))))
  const onKeyDown = (event: KeyboardEvent) => {
    const step = arrowStep(event, 'ArrowDown', 'ArrowUp')
    if (step !== 0) within(size + step * (event.shiftKey ? 32 : 8))
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ y: event.clientY, size })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a window splitter is a focusable separator; hr cannot be one.
    <div
      className={`${styles.splitter} absolute z-2 inset-focus h-8`}
      role="separator"
      aria-orientation="horizontal"
      aria-label={texts.inspector.resize}
      aria-valuenow={size}
      aria-valuemin={SMALLEST}
      aria-valuemax={largest}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        if (drag !== undefined) within(drag.size + drag.y - event.clientY)
      }}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
      onDoubleClick={onReset}
    />
  )
}
