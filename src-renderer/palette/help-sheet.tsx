import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { COMMANDS, type Command, type GroupId, nameOf } from './commands.ts'
import type { Scene } from './desk.ts'
import styles from './help-sheet.module.css'
import { Keys } from './keys.tsx'

type HelpSheetProps = { readonly scene: Scene; readonly onClose: () => void }

/** Every command that has a key, with its key. */
export const HelpSheet = ({ scene, onClose }: HelpSheetProps) => {
  const words = texts.shortcuts
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.shortcuts} aria-label={words.title} onClose={onClose}>
      <header>
        <h2>{words.title}</h2>
        <IconButton small name={words.close} onClick={() => dialog.current?.close()}>
          <X size={15} strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.shortcutGroups}>
        {groupsOfKeys(scene).map(([group, commands]) => (
          <section key={group} aria-labelledby={`keys-of-${group}`}>
            <h3 id={`keys-of-${group}`}>{texts.palette.groups[group]}</h3>
            <dl>
              {commands.map(({ id, chords = [] }) => (
                <div key={id}>
                  <dd>{nameOf(id)}</dd>
                  <dt>
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
      <p>{words.fields}</p>
    </dialog>
  )
}

/** What can be done here comes first. */
const groupsOfKeys = (scene: Scene): readonly (readonly [GroupId, readonly Command[]])[] => {
  const groups = new Map<GroupId, Command[]>()
  for (const command of COMMANDS) {
    if (command.chords === undefined) continue
    groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  }
  const all = [...groups]
  return scene === 'presenter' ? all.sort(([a], [b]) => Number(b === 'presenter') - Number(a === 'presenter')) : all
}
