import { Camera, CircleAlert, Plus, Settings2, Smartphone, X, Zap } from 'lucide-react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { parsePhoneTrouble } from '../../src-main/core/contract/phone-trouble.ts'
import type { ApiProblem } from '../api.ts'
import standStyles from '../bench/stand.module.css'
import { useBenchPart } from '../bench/use-bench.ts'
import { countPhoneFaults } from '../bench/words.ts'
import { setBreakTarget } from '../faults/breaking.ts'
import { PlaceContext, useAction } from '../palette/actions.ts'
import { armedRestText } from '../ui/armed-rest.ts'
import { observeSize } from '../ui/effects.ts'
import {
  Button,
  FaultChip,
  IconButton,
  Lasting,
  optionsOf,
  Problem,
  ProblemText,
  Segmented,
  Switch,
} from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { useRunAction } from '../ui/use-asked.ts'
import { PhoneBody } from './phone-body.tsx'
import { PhoneButton } from './phone-button.tsx'
import { Glass, PhoneScreen } from './phone-screen.tsx'
import styles from './phones.module.css'
import { type PhoneActions, usePhoneActions } from './use-phone-actions.ts'

type PhoneProps = {
  readonly phone: ControlPhone
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly onWatch: (watching: boolean) => void
}

type PhonesProps = Omit<PhoneProps, 'phone'> & {
  /** The device that the inspector explains; its phone is scrolled into view. */
  readonly about: string | undefined
}

const Phone = ({ phone, canvas, onWatch }: PhoneProps) => {
  const actions = usePhoneActions(phone, canvas, onWatch)
  // The settings close at the next request, push or use of the camera, so that the user misses no request.
  const [settingsOver, setSettingsOver] = useState<readonly Asking[]>()
  const asking = askingOn(phone, actions)
  const settings = settingsOver !== undefined
  if (asking.some((what, i) => what !== undefined && settings && what !== settingsOver[i])) setSettingsOver(undefined)
  const faults = useBenchPart(({ timeline }) => countPhoneFaults(timeline, phone))
  const words = texts.phone
  const stand = useRef<HTMLElement>(null)
  const scans = actions.camera !== 'looking' && actions.camera !== 'reading' && !phone.lost
  useAction('scan', stand, scans ? actions.scan : undefined)
  const turnSettings = () => {
    actions.clearProblem()
    setSettingsOver(settings ? undefined : asking)
  }
  return (
    <PlaceContext value={stand}>
      <section
        ref={stand}
        className={`${standStyles.stand} ${styles.stand}`}
        data-part="phone-stand"
        aria-label={words.label(phone.name)}
      >
        <div className={`${standStyles.caption} row narrows gap-6 weight-560`} data-part="caption">
          <h2 title={phone.name}>{phone.name}</h2>
          {faults > 0 ? (
            <FaultChip>{words.faults(faults)}</FaultChip>
          ) : (
            <span className={`${standStyles.sub} faint weight-430`}>{words.storage[phone.storage]}</span>
          )}
          <IconButton
            Icon={Camera}
            className="push-right"
            data-do="scan"
            name={words.scan(phone.name)}
            disabled={!scans}
            onClick={actions.scan}
          />
          <IconButton
            Icon={Zap}
            aria-haspopup="dialog"
            data-part="break-button"
            name={texts.breaking.phone(phone.name)}
            onClick={({ currentTarget }) => setBreakTarget({ of: { phone: phone.id }, anchor: currentTarget })}
          />
          <IconButton
            Icon={Settings2}
            name={words.settings(phone.name)}
            aria-pressed={settings}
            onClick={turnSettings}
          />
        </div>
        <PhoneBody onPicture={actions.read}>
          {settings ? (
            <PhoneSettings phone={phone} actions={actions} onClose={turnSettings} />
          ) : (
            <PhoneScreen phone={phone} actions={actions} canvas={canvas} />
          )}
          <Lasting busy={actions.busy && !showsItself(phone, actions)} />
          <TurnedAway screen={phone.screen} problem={actions.problem} onGone={actions.clearProblem} />
        </PhoneBody>
      </section>
    </PlaceContext>
  )
}

type Asking = string | undefined

const askingOn = ({ screen, notifications }: ControlPhone, { camera }: PhoneActions): readonly Asking[] => [
  'prompt' in screen ? screen.prompt?.msg_id : undefined,
  notifications.at(-1)?.msg_id,
  camera === 'off' ? undefined : camera,
]

/** True if the phone's own screen already shows its activity, such as reading a code or signing. */
const showsItself = ({ screen }: ControlPhone, { camera }: PhoneActions): boolean =>
  camera !== 'off' || screen.kind === 'working' || screen.kind === 'camera'

type TurnedAwayProps = {
  readonly screen: ControlPhone['screen']
  readonly problem: ApiProblem | undefined
  readonly onGone: () => void
}

/** Why a phone's action failed, unless its screen already says so. */
const TurnedAway = ({ screen, problem, onGone }: TurnedAwayProps) => {
  if (problem === undefined) return null
  const own = problem.kind === 'refused' ? parsePhoneTrouble(problem.data) : undefined
  if (own !== undefined && (screen.kind === 'problem' || screen.kind === 'refused') && screen.word === own.word) {
    return null
  }
  return (
    <div className={styles.turnedAway} data-part="phone-turned-away" role="alert">
      <CircleAlert className="mt-1" />
      <p className="breaks">
        <ProblemText problem={problem} />
      </p>
      <button className="centred rounded-6 h-18" type="button" aria-label={texts.errors.dismiss} onClick={onGone}>
        <X className="mt-1" size={13} strokeWidth={2} />
      </button>
    </div>
  )
}

type PhoneSettingsProps = { readonly phone: ControlPhone; readonly actions: PhoneActions; readonly onClose: () => void }

const PhoneSettings = ({ phone, actions, onClose }: PhoneSettingsProps) => {
  const words = texts.phone.set
  const labels = texts.console.phonesPage
  return (
    <Glass phone={phone} look="app">
      <div className={`${styles.settings} column grow shortens scrolls-y p-8-14-10 bar-less`}>
        <h3 className="rigid os-title p-0-2-6">{words.title}</h3>
        <div className={styles.setting}>
          <span className="os-muted">{texts.phone.request.account}</span>
          <b className="narrows breaks weight-540">
            {phone.account.name} <small className="tiny os-muted">{phone.account.phone}</small>
          </b>
        </div>
        <div className={styles.setting}>
          <span className="os-muted">{words.online}</span>
          <Switch
            name={words.online}
            on={phone.network === 'online'}
            onFlip={(online) => actions.patch({ network: online ? 'online' : 'offline' })}
          />
        </div>
        <div className={styles.setting} data-tall>
          <span className="os-muted">{labels.storage}</span>
          <Segmented
            name={labels.storage}
            value={phone.storage}
            options={optionsOf(['cloud', 'chip'], words.storageShort)}
            onPick={(storage) => actions.patch({ storage })}
          />
        </div>
        <div className={styles.setting} data-tall>
          <span className="os-muted">{labels.answer}</span>
          <Segmented
            name={labels.answer}
            value={phone.behaviour.answer}
            options={optionsOf(['ask', 'approve', 'reject', 'ignore'], words.answers)}
            onPick={(answer) => actions.patch({ behaviour: { ...phone.behaviour, answer } })}
          />
        </div>
        <div className={styles.setting}>
          <span className="os-muted">{words.faults}</span>
          <button
            type="button"
            className={`${styles.arm} row small gap-5 one-line weight-530 rounded-8 os-card h-26 p-0-9`}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => setBreakTarget({ of: { phone: phone.id }, anchor: currentTarget })}
          >
            <Zap className="fault" size={12} strokeWidth={2} />
            {words.armOne}
          </button>
        </div>
        {phone.faults.length === 0 ? null : <Armed phone={phone} actions={actions} />}
        <PhoneButton onClick={onClose} text={texts.phone.done} />
      </div>
    </Glass>
  )
}

const Armed = ({ phone, actions }: Pick<PhoneSettingsProps, 'phone' | 'actions'>) => (
  <ul className={`${styles.armed} grid rigid gap-5 p-7-0-8`} aria-label={texts.phone.set.faults}>
    {phone.faults.map((armed) => (
      <li className="middle grid small fault bg-fault-soft leading-16 rounded-8 p-4-3-5-9" key={armed.id}>
        <b className="cut ellipsis weight-540">{armed.fault}</b>
        <small className="tiny second-row">{armedRestText(armed)}</small>
        <button
          className="second-column centred fault-hovers rounded-6 h-22"
          type="button"
          aria-label={texts.phone.armed.disarm(armed.fault)}
          onClick={() => actions.disarm(armed.id)}
        >
          <X size={13} strokeWidth={2} />
        </button>
      </li>
    ))}
  </ul>
)

/** Memoized, so that exchanges which only the timeline shows do not render it. */
export const Phones = memo(({ canvas, onWatch, about }: PhonesProps) => {
  const phones = useBenchPart((state) => state.phones)
  const row = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(0)
  const [hidden, setHidden] = useState(false)
  const count = phones.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: adding or removing a phone changes what fits.
  useLayoutEffect(() => {
    const element = row.current
    const measure = () => element !== null && setHidden(element.scrollWidth > element.clientWidth + 1)
    measure()
    return observeSize(element, measure)
  }, [count])
  const explained = about === undefined ? -1 : phones.findIndex((phone) => phone.device_id === about)
  useEffect(() => {
    if (hidden && explained >= 0) {
      row.current?.children[explained]?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    }
  }, [hidden, explained])
  useAskedForward(row, phones, hidden)
  if (count === 0) return <NoPhones />
  const onScroll = () => {
    const stand = row.current?.firstElementChild
    if (row.current === null || stand === null || stand === undefined) return
    const step = stand.clientWidth + Number.parseFloat(getComputedStyle(row.current).columnGap)
    setFirst(Math.round(row.current.scrollLeft / step))
  }
  return (
    <div className={`${styles.frame} grid shrinks relative`} data-part="phones-frame">
      <div className={`${styles.phones} grid shrinks bar-less`} data-part="phones" ref={row} onScroll={onScroll}>
        {phones.map((phone) => (
          <Phone key={phone.id} phone={phone} canvas={canvas} onWatch={onWatch} />
        ))}
      </div>
      {hidden ? (
        <Pager
          phones={phones}
          first={first}
          onGo={(index) => row.current?.children[index]?.scrollIntoView({ inline: 'start', block: 'nearest' })}
        />
      ) : null}
    </div>
  )
})

/** Scrolls a phone with a request into view, unless another phone with a request is already visible. */
const useAskedForward = (
  row: RefObject<HTMLElement | null>,
  phones: readonly ControlPhone[],
  hidden: boolean,
): void => {
  const known = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const element = row.current
    // Pushes are not remembered while all phones are visible, so that their phones scroll into view when room shrinks.
    if (element === null || !hidden) return
    const asked = phones.map(({ notifications }) => notifications.map(({ msg_id }) => msg_id))
    const news = asked.flatMap((ids, index) => (ids.some((id) => !known.current.has(id)) ? [index] : []))
    known.current = new Set(asked.flat())
    if (news.length === 0 || news.some((index) => isInSight(element, index))) return
    element.children[news[0] ?? 0]?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [row, phones, hidden])
}

const isInSight = (row: HTMLElement, index: number): boolean => {
  const [frame, phone] = [row.getBoundingClientRect(), row.children[index]?.getBoundingClientRect()]
  return phone !== undefined && phone.left >= frame.left - 1 && phone.right <= frame.right + 1
}

type PagerProps = {
  readonly phones: readonly ControlPhone[]
  readonly first: number
  readonly onGo: (index: number) => void
}

/** One dot for each phone if not all of them fit; a coloured dot means that a push is waiting. */
const Pager = ({ phones, first, onGo }: PagerProps) => (
  <nav className={`${styles.pager} absolute flex centre`} aria-label={texts.phone.pane}>
    {phones.map((phone, index) => (
      <button
        className="centred w-24 h-18"
        key={phone.id}
        type="button"
        aria-label={texts.phone.goTo(phone.name)}
        title={phone.name}
        aria-current={index === first ? 'true' : undefined}
        data-asked={phone.notifications.length > 0 || undefined}
        onClick={() => onGo(index)}
      />
    ))}
  </nav>
)

const NoPhones = () => {
  const { send, busy, problem } = useRunAction()
  const add = () => send('phones.create', { body: { name: texts.phone.names[0] } })
  return (
    <div className="column middle centre gap-12 muted text-center balanced w-226" data-part="phone-none">
      <Smartphone size={28} strokeWidth={1.5} />
      <p>{texts.phone.none}</p>
      <Button Icon={Plus} look="primary" disabled={busy} onClick={add} text={texts.phone.addFirst} />
      <Problem problem={problem} />
    </div>
  )
}
