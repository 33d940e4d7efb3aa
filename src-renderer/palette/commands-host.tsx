import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { SHELL_NOTE } from '../../src-main/core/contract/page-address.ts'
import type { BenchStore } from '../bench/bench-store.ts'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { pageName } from '../session.ts'
import { copyText } from '../ui/copy-button.tsx'
import { onWindow } from '../ui/effects.ts'
import { IconButton, ProblemText } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import type { Screen } from '../ui/title-bar.tsx'
import { navigateTo } from '../ui/use-address.ts'
import { useActions } from './actions.ts'
import { COMMANDS, type Command, commandName, type GroupId } from './commands.ts'
import styles from './commands-host.module.css'
import type { CommandContext, Scene } from './desk.ts'
import { Keys } from './keys.tsx'
import { Notice, type NoticeText } from './notice.tsx'
import { connectingNow, currentUser, focusPane, focusPhone, placeOf } from './page.ts'
import { Palette } from './palette.tsx'
import { commandFor } from './shortcuts.ts'

export type Overlay = 'palette' | 'help'

type CommandsHostProps = {
  readonly scene: Scene
  readonly recorded: BenchStore | undefined
  readonly overlay: Overlay | undefined
  readonly onOverlay: (overlay: Overlay | undefined) => void
  readonly onScreen: (screen: Screen) => void
  readonly onPresent: () => void
}

export const CommandsHost = ({ scene, recorded, overlay, onOverlay, onScreen, onPresent }: CommandsHostProps) => {
  const { api } = useTools()
  const actions = useActions()
  const phones = useBenchPart((state) => state.phones)
  const clock = useBenchPart((state) => state.clock)
  const [note, setNote] = useState<NoticeText>()

  const ask: CommandContext['ask'] = async (call) => {
    const result = await api.call(call)
    if (!result.ok) setNote({ tone: 'fail', text: <ProblemText problem={result.error} /> })
    else setNote(result.value === undefined ? undefined : { tone: 'ok', text: result.value })
  }
  const desk: CommandContext = {
    scene,
    phones,
    clock,
    user: currentUser(),
    page: pageName(),
    can: actions.can,
    run: actions.run,
    present: onPresent,
    connect: () => navigateTo({ screen: 'bench', connect: connectingNow() }),
    focusPhone,
    focusPane,
    go: onScreen,
    open: onOverlay,
    ask,
    copy: (text) =>
      ask(async (client) => {
        const copied = await text(client)
        if (copied === undefined) return texts.palette.said.noKey
        if (!(await copyText(copied))) return texts.palette.said.noClipboard
        // An audience sees no address of a test bench.
        return scene === 'presenter' ? texts.inspector.copied : texts.palette.said.copied(copied)
      }),
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const hit = commandFor(event, placeOf(event.target, scene))
    // In a presentation, a key that is held down counts once.
    if (event.repeat && hit?.command.where === 'presenter') return event.preventDefault()
    if (hit === undefined) return
    if (hit.command.run?.({ ...desk, user: currentUser() }, hit.nth) !== false) event.preventDefault()
  })
  useEffect(() => onWindow('keydown', (event) => press(event)), [])
  useEffect(() => {
    const listener = (event: Event) => {
      if (!(event instanceof CustomEvent) || typeof event.detail !== 'string') return
      // The desktop program repeats this report until a page has handled it.
      event.preventDefault()
      setNote({ tone: 'fail', text: event.detail })
    }
    addEventListener(SHELL_NOTE, listener)
    return () => removeEventListener(SHELL_NOTE, listener)
  }, [])

  return (
    <>
      {overlay === 'palette' ? <Palette desk={desk} recorded={recorded} onClose={() => onOverlay(undefined)} /> : null}
      {overlay === 'help' ? <HelpSheet scene={scene} onClose={() => onOverlay(undefined)} /> : null}
      {note === undefined ? null : <Notice note={note} onGone={() => setNote(undefined)} />}
    </>
  )
}

type HelpSheetProps = { readonly scene: Scene; readonly onClose: () => void }

const HelpSheet = ({ scene, onClose }: HelpSheetProps) => {
  const words = texts.shortcuts
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={`${styles.shortcuts} m-auto p-16-24-18`} aria-label={words.title} onClose={onClose}>
      <header className="row between">
        <h2 className="title-15 weight-610">{words.title}</h2>
        <IconButton Icon={X} size={15} name={words.close} onClick={() => dialog.current?.close()} />
      </header>
      <div className={styles.shortcutGroups}>
        {groupsOfKeys(scene).map(([group, commands]) => (
          <section className="unbroken pt-12" key={group} aria-labelledby={`keys-of-${group}`}>
            <h3 className="small faint leading-16 weight-530 line-below pb-3" id={`keys-of-${group}`}>
              {texts.palette.groups[group]}
            </h3>
            <dl>
              {commands.map(({ id, chords = [] }) => (
                <div className="row gap-12 between min-h-26" key={id}>
                  <dd>{commandName(id)}</dd>
                  <dt className="flex gap-8 one-line">
                    {chords.map((chord) => (
                      <span key={chord}>
                        <Keys chord={chord} />
                      </span>
                    ))}
                  </dt>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="small faint pt-14">{words.fields}</p>
    </dialog>
  )
}

/** Commands that can run here come first. */
const groupsOfKeys = (scene: Scene): readonly (readonly [GroupId, readonly Command[]])[] => {
  const withKeys = COMMANDS.filter(({ chords }) => chords !== undefined)
  const all = [...Map.groupBy(withKeys, ({ group }) => group)]
  return scene === 'presenter' ? all.sort(([a], [b]) => Number(b === 'presenter') - Number(a === 'presenter')) : all
}
