import { Star } from 'lucide-react'
import { useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { currentUser } from '../palette/page.ts'
import { pageName } from '../session.ts'
import { IconButton } from '../ui/button.tsx'
import { messages } from '../ui/messages.ts'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { go } from '../ui/use-address.ts'
import { useAct } from '../ui/use-asked.ts'
import type { Breaking } from './breaking.ts'
import type { FaultEntry } from './fault-entries.ts'
import { FaultForm } from './fault-form.tsx'
import styles from './fault-row.module.css'
import { armWith, tryFault } from './try-fault.ts'

type FaultRowProps = {
  readonly id: string
  readonly entry: FaultEntry
  readonly of: Breaking['of']
  /** Whose fault it is, or whose finger shows it. */
  readonly phone: ControlPhone | undefined
  readonly open: boolean
  readonly favourite: boolean
  readonly onOpen: () => void
  readonly onFavourite: () => void
  readonly onDone: () => void
}

/** One fault; open, also what a correct server does, how often it strikes, and the way to see it. */
export const FaultRow = ({ id, entry, of, phone, open, favourite, onOpen, onFavourite, onDone }: FaultRowProps) => {
  const words = texts.breaking
  const { act, problem } = useAct()
  const { name, title, should, advice, seen } = entry
  const user = currentUser()
  const lies = useBenchPart((state) => state.lies)
  /** What was armed when it was tried: one that strikes once is gone afterwards. */
  const [besides, setBesides] = useState('')
  const canTry = phone !== undefined && !phone.lost
  const arm = armWith(of)
  return (
    <li className={styles.row} data-open={open || undefined}>
      <button type="button" id={id} data-fault={name} aria-expanded={open} onClick={onOpen}>
        <span>{title}</span>
        <code>{name}</code>
      </button>
      {open ? (
        <div className={styles.more}>
          <p>
            {words.should}
            <b>{messages.shoulds[should]}</b>
            {advice === '' ? null : <small>{advice}</small>}
          </p>
          <p data-part="break-seen">{messages.seenBy[seen]}</p>
          <FaultForm
            fault={entry}
            onArm={async (armed) => {
              if (await act((client) => arm(client, armed))) onDone()
            }}
            {...(user === undefined || !canTry
              ? {}
              : {
                  onTry: async (armed) => {
                    setBesides([...lies, ...phone.faults].map(({ fault }) => fault).join(', '))
                    go({ screen: 'bench' })
                    const trial = { entry, armed, arm, user, phone, page: pageName() }
                    if (await act((client) => tryFault(client, trial))) onDone()
                  },
                })}
          >
            <IconButton
              small
              name={favourite ? words.unstar(name) : words.star(name)}
              aria-pressed={favourite}
              onClick={onFavourite}
            >
              <Star size={14} strokeWidth={1.75} fill={favourite ? 'currentColor' : 'none'} aria-hidden="true" />
            </IconButton>
          </FaultForm>
          {canTry ? null : <p>{words.needsPhone}</p>}
          <Problem problem={problem} />
          {problem === undefined || besides === '' ? null : <p>{words.besides(besides)}</p>}
        </div>
      ) : null}
    </li>
  )
}
