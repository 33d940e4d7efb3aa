import { Camera, CircleAlert, Settings2, X, Zap } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { phoneTroubleIn } from '../../src-main/core/contract/phone-trouble.ts'
import type { ApiProblem } from '../api.ts'
import standStyles from '../bench/stand.module.css'
import { useBenchPart } from '../bench/use-bench.ts'
import { faultsOn } from '../bench/words.ts'
import { BreakButton } from '../faults/break-button.tsx'
import { PlaceContext, useAction } from '../palette/actions.ts'
import { IconButton } from '../ui/button.tsx'
import { Chip } from '../ui/chip.tsx'
import { Lasting } from '../ui/lasting.tsx'
import { ProblemText } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import styles from './phone.module.css'
import { PhoneBody } from './phone-body.tsx'
import { PhoneScreen } from './phone-screen.tsx'
import { PhoneSettings } from './phone-settings.tsx'
import { type PhoneActions, usePhoneActions } from './use-phone-actions.ts'

type PhoneProps = {
  readonly phone: ControlPhone
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** The camera is on the RP's code, or off it. */
  readonly onWatch: (watching: boolean) => void
}

/** One virtual phone: an object on the bench, drawn from its state alone. */
export const Phone = ({ phone, canvas, onWatch }: PhoneProps) => {
  const actions = usePhoneActions(phone, canvas, onWatch)
  // They close at the next request, push or use of the camera, so that no request is missed.
  const [settingsOver, setSettingsOver] = useState<readonly Asking[]>()
  const asking = askingOn(phone, actions)
  const settings = settingsOver !== undefined
  if (asking.some((what, i) => what !== undefined && settings && what !== settingsOver[i])) setSettingsOver(undefined)
  const faults = useBenchPart(({ timeline }) => faultsOn(timeline, phone))
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
        <div className={standStyles.caption} data-part="caption">
          <h2 title={phone.name}>{phone.name}</h2>
          {faults > 0 ? (
            <Chip tone="fault">
              <Zap size={11} strokeWidth={2} aria-hidden="true" />
              {words.faults(faults)}
            </Chip>
          ) : (
            <span className={standStyles.sub}>{words.storage[phone.storage]}</span>
          )}
          <IconButton
            small
            className="push-right"
            data-do="scan"
            name={words.scan(phone.name)}
            disabled={!scans}
            onClick={actions.scan}
          >
            <Camera size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
          <BreakButton of={{ phone: phone.id }} name={phone.name} />
          <IconButton small name={words.settings(phone.name)} aria-pressed={settings} onClick={turnSettings}>
            <Settings2 size={14} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
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

/** Anything that needs attention: a request, a push, the camera. */
const askingOn = ({ screen, notifications }: ControlPhone, { camera }: PhoneActions): readonly Asking[] => [
  'prompt' in screen ? screen.prompt?.msg_id : undefined,
  notifications.at(-1)?.msg_id,
  camera === 'off' ? undefined : camera,
]

/** A camera that reads and a phone that signs say so on the glass. */
const showsItself = ({ screen }: ControlPhone, { camera }: PhoneActions): boolean =>
  camera !== 'off' || screen.kind === 'working' || screen.kind === 'camera'

type TurnedAwayProps = {
  readonly screen: ControlPhone['screen']
  readonly problem: ApiProblem | undefined
  readonly onGone: () => void
}

/** Why the phone did not do it. A reason that its screen already shows is not repeated. */
const TurnedAway = ({ screen, problem, onGone }: TurnedAwayProps) => {
  if (problem === undefined) return null
  const own = problem.kind === 'refused' ? phoneTroubleIn(problem.data) : undefined
  if (own !== undefined && (screen.kind === 'problem' || screen.kind === 'refused') && screen.word === own.word) {
    return null
  }
  return (
    <div className={`${styles.turnedAway} grid small`} data-part="phone-turned-away" role="alert">
      <CircleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
      <p>
        <ProblemText problem={problem} />
      </p>
      <button type="button" aria-label={texts.errors.dismiss} onClick={onGone}>
        <X size={13} strokeWidth={2} aria-hidden="true" />
      </button>
    </div>
  )
}
