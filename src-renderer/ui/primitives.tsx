import { ChevronDown, CircleAlert, FileUp, type LucideIcon, Zap } from 'lucide-react'
import {
  type ButtonHTMLAttributes,
  type FormHTMLAttributes,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { ApiProblem } from '../api.ts'
import { arrowStep } from './effects.ts'
import { refusalWords } from './messages.ts'
import { isWithin, type NumberRange, rangeText } from './number-range.ts'
import styles from './primitives.module.css'
import { texts } from './texts.ts'

const BUTTON_SHAPE = 'inline-flex middle centre narrows one-line gap-6 h-28 p-0-10 rounded-7'

export const BUTTON = `${styles.btn} ${BUTTON_SHAPE} ink weight-530 undecorated bg-raised framed`

type Look = 'default' | 'primary' | 'ghost' | 'danger'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look
  readonly small?: boolean
  readonly Icon?: LucideIcon
  readonly size?: number
  readonly ref?: Ref<HTMLButtonElement>
  readonly text?: ReactNode
}

export const Button = ({
  look = 'default',
  small = false,
  Icon,
  size = 14,
  className,
  text,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    className={className === undefined ? BUTTON : `${BUTTON} ${className}`}
    data-look={look}
    data-small={small || undefined}
    {...rest}
  >
    {Icon === undefined ? null : <Icon size={size} />}
    {text}
    {children}
  </button>
)

/** For an action within a text or a list. */
export const QuietButton = (props: ButtonProps) => <Button small look="ghost" {...props} />

type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'title'> & { readonly name: string }

export const IconButton = ({ name, look = 'ghost', ...rest }: IconButtonProps) => (
  <Button small look={look} aria-label={name} title={name} data-icon {...rest} />
)

export type Tone = 'neutral' | 'accent' | 'ok' | 'fail' | 'warn' | 'fault'

type ChipProps = { readonly tone?: Tone; readonly Icon?: LucideIcon; readonly children: ReactNode }

export const Chip = ({ tone = 'neutral', Icon, children }: ChipProps) => (
  <span
    className={`${styles.chip} inline-flex middle gap-5 small muted digits one-line weight-530 bg-surface-3 rounded-5 h-20 px-7`}
    data-tone={tone}
  >
    {Icon === undefined ? null : <Icon size={11} strokeWidth={2} />}
    {children}
  </span>
)

export const FaultChip = (props: Pick<ChipProps, 'children'>) => <Chip tone="fault" Icon={Zap} {...props} />

export const Dot = ({ tone = 'neutral' }: { readonly tone?: Tone }) => (
  <i className={`${styles.dot} rigid inline-block circle bg-idle w-7 h-7`} data-tone={tone} aria-hidden="true" />
)

export const Problem = ({ problem }: { readonly problem: ApiProblem | undefined }) =>
  problem === undefined ? null : (
    <p className="row gap-7 fail bg-fail-soft rounded-7 m-10-0 p-7-10" role="alert">
      <CircleAlert />
      <ProblemText problem={problem} />
    </p>
  )

export const ProblemText = ({ problem }: { readonly problem: ApiProblem }) => (
  <>{problem.kind === 'unreachable' ? texts.errors.unreachable : refusalWords(problem)}</>
)

export type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'name' | 'width'> & {
  /** Absent inside a label, which names the field. */
  readonly name?: string
  readonly onText: (text: string) => void
  readonly wrong?: boolean
  readonly mono?: boolean
  readonly quiet?: boolean
  readonly unit?: ReactNode
  readonly width?: number | undefined
  readonly Icon?: LucideIcon
  readonly ref?: Ref<HTMLInputElement>
}

export const TextField = (props: TextFieldProps) => {
  const { name, onText, wrong = false, mono = false, quiet, unit, width, Icon, className, children, ...rest } = props
  const Frame = name === undefined ? 'span' : 'label'
  return (
    <Frame
      className={className === undefined ? 'field' : `field ${className}`}
      data-wrong={wrong || undefined}
      data-quiet={quiet}
      style={{ width }}
    >
      {Icon === undefined ? null : <Icon size={13} />}
      <input
        className={mono ? 'mono small' : undefined}
        aria-label={name}
        aria-invalid={wrong}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onText(target.value)}
        {...rest}
      />
      {unit === undefined ? null : <span className="small faint">{unit}</span>}
      {children}
    </Frame>
  )
}

type WrongProps = { readonly text: string | undefined; readonly id?: string; readonly className?: string }

/** What is wrong with the value of a field, if anything. */
export const Wrong = ({ text, id, className = 'small' }: WrongProps) =>
  text === undefined ? null : (
    <small id={id} className={`fail ${className}`} role="alert">
      {text}
    </small>
  )

type ChoiceProps<T extends string> = {
  readonly name: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
}

type SelectFieldProps<T extends string> = ChoiceProps<T> & { readonly width?: number }

export const SelectField = <T extends string>({ name, value, options, onPick, width }: SelectFieldProps<T>) => (
  <label className="field" style={width === undefined ? undefined : { width, maxWidth: '100%' }}>
    <select aria-label={name} value={value} onChange={({ target }) => onPick(target.value as T)}>
      {options.map((each) => (
        <option key={each.value} value={each.value}>
          {each.text}
        </option>
      ))}
    </select>
  </label>
)

type FileInputProps = {
  readonly name: string
  readonly accept?: string
  readonly onFile: (file: File) => void
  readonly ref: Ref<HTMLInputElement>
}

/** Invisible: a button opens its dialog. */
export const FileInput = ({ name, onFile, ...rest }: FileInputProps) => (
  <input
    type="file"
    hidden
    aria-label={name}
    onChange={({ currentTarget }) => {
      const file = currentTarget.files?.[0]
      // Without this, choosing the same file again would cause no event.
      currentTarget.value = ''
      if (file !== undefined) onFile(file)
    }}
    {...rest}
  />
)

type FileButtonProps = Omit<FileInputProps, 'ref'> & { readonly text: string }

export const FileButton = ({ text, ...dialog }: FileButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button Icon={FileUp} onClick={() => input.current?.click()} text={text} />
      <FileInput ref={input} {...dialog} />
    </>
  )
}

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> & { readonly onSubmit: () => unknown }

export const Form = ({ onSubmit, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault()
      void onSubmit()
    }}
  />
)

type SegmentedProps<T extends string> = ChoiceProps<T> & { readonly disabled?: boolean }

export const optionsOf = <const V extends readonly string[]>(values: V, texts: Readonly<Record<V[number], string>>) =>
  values.map((value: V[number]) => ({ value, text: texts[value] }))

export const Segmented = <T extends string>({ name, value, options, onPick, disabled }: SegmentedProps<T>) => {
  const group = useId()
  return (
    <div className={`${styles.seg} inline-flex bg-surface-3 rounded-8 p-2`} role="radiogroup" aria-label={name}>
      {options.map((option) => (
        <label
          className="choice inline-flex middle small muted one-line weight-530 rounded-6 h-24 p-0-11"
          key={option.value}
        >
          <input
            type="radio"
            name={group}
            checked={option.value === value}
            disabled={disabled}
            onChange={() => onPick(option.value)}
          />
          {option.text}
        </label>
      ))}
    </div>
  )
}

type SwitchProps = { readonly name: string; readonly on: boolean; readonly onFlip: (on: boolean) => void }

export const Switch = ({ name, on, onFlip }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    className={`${styles.switch} rigid relative bg-idle rounded-10 w-28 h-16`}
    aria-label={name}
    aria-checked={on}
    onClick={() => onFlip(!on)}
  />
)

type TabsProps<T extends string> = {
  readonly name: string
  /** Prefix of the tab's and panel's ids: `<id>-tab-<value>`, `<id>-panel`. */
  readonly id: string
  readonly value: T
  readonly tabs: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
}

/** Arrow keys move and select, as in the ARIA pattern for tabs. */
export const Tabs = <T extends string>({ name, id, value, tabs, onPick }: TabsProps<T>) => {
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = arrowStep(event, 'ArrowLeft', 'ArrowRight')
    const index = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (step === 0 || next === undefined) return
    onPick(next.value)
    document.getElementById(`${id}-tab-${next.value}`)?.focus()
  }
  return (
    <div className={`${styles.tabs} flex gap-2 stretches`} role="tablist" aria-label={name} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          className="muted relative one-line weight-500 p-0-10"
          key={tab.value}
          type="button"
          role="tab"
          id={`${id}-tab-${tab.value}`}
          aria-selected={tab.value === value}
          aria-controls={`${id}-panel`}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onPick(tab.value)}
        >
          {tab.text}
        </button>
      ))}
    </div>
  )
}

type PickProps<T extends string> = ChoiceProps<T> & {
  readonly className?: string
  /** A last item, which opens something else instead of choosing a value. */
  readonly more?: { readonly text: string; readonly onChoose: () => void }
}

/** No option has this value. */
const MORE = ' more'

/** A native select, so that keyboard and screen reader work as usual. */
export const Pick = <T extends string>({ name, value, options, onPick, className = '', more }: PickProps<T>) => {
  // In a closed list, an arrow key chooses immediately; users who only browse must not leave the page.
  const byArrow = useRef(false)
  return (
    <span className={`${styles.pick} inline-flex relative middle rounded-6 min-w-84 ${className}`}>
      <select
        className="narrows ellipsis fits rounded-6 p-2-20-2-4"
        aria-label={name}
        value={value}
        onKeyDown={({ key }) => {
          byArrow.current = key.startsWith('Arrow')
        }}
        onKeyUp={() => {
          byArrow.current = false
        }}
        onChange={({ target }) => {
          if (target.value !== MORE) onPick(target.value as T)
          else if (!byArrow.current) more?.onChoose()
        }}
      >
        {options.map((option) => (
          <option className="ink bg-surface" key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
        {more === undefined ? null : (
          <option className="ink bg-surface" value={MORE}>
            {more.text}
          </option>
        )}
      </select>
      <ChevronDown className="absolute faint right-4" size={13} />
    </span>
  )
}

type CommitFieldProps = {
  readonly name: string
  readonly value: string
  readonly onCommit: (value: string) => void
  /** For a number: a value out of range is reported at the field and not applied. */
  readonly range?: NumberRange
  /** Returns the problem of an invalid text, which is not applied either. */
  readonly problemOf?: (text: string) => string | undefined
  readonly unit?: string | undefined
  readonly width?: number
  readonly mono?: boolean
}

/** A field that applies its text on Enter or when it loses the focus, and resets it on Escape. */
export const CommitField = ({
  value,
  onCommit,
  range,
  problemOf = range === undefined ? undefined : (text) => (isWithin(text, range) ? undefined : rangeText(range)),
  ...field
}: CommitFieldProps) => {
  const [draft, setDraft] = useState(value)
  const [problem, setProblem] = useState<string>()
  const wrong = problem !== undefined
  const id = useId()
  const put = (text: string) => {
    setProblem(undefined)
    setDraft(text)
  }
  // A new value replaces the typed text.
  const [applied, setApplied] = useState(value)
  if (value !== applied) {
    setApplied(value)
    setDraft(value)
  }
  const commit = () => {
    if (draft.trim() === '') put(value)
    else {
      const found = problemOf?.(draft)
      setProblem(found)
      if (found === undefined && draft !== value) onCommit(draft)
    }
  }
  return (
    <span className={`${styles.field} inline-flex middle wraps fits gap-4-10`}>
      <TextField
        {...field}
        inputMode={range === undefined ? undefined : 'decimal'}
        wrong={wrong}
        aria-describedby={wrong ? id : undefined}
        value={draft}
        onText={put}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
          else if (event.key === 'Escape') put(value)
        }}
      />
      <Wrong id={id} text={problem} />
    </span>
  )
}

export const HandsetMark = ({ size = 18 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <rect x="6.5" y="2" width="11" height="20" rx="3.2" stroke="currentColor" strokeWidth="1.9" />
    <path d="M6.5 12h4.2" stroke="var(--accent)" strokeWidth="2.4" />
    <circle cx="12.6" cy="12" r="2.1" fill="var(--accent)" />
  </svg>
)

const MARKS = [
  {
    fill: 'var(--bank)',
    path: 'M12 4.6v14.8M8.9 12a3.1 7.4 0 1 0 6.2 0a3.1 7.4 0 1 0-6.2 0M4.6 12a7.4 7.4 0 1 0 14.8 0a7.4 7.4 0 1 0-14.8 0',
  },
  {
    fill: '#a8432f',
    path: 'M8 8.2c1.5-.9 6.5-.9 8 0 1.3 2.4 1.3 5.2 0 7.6-1.5.9-6.5.9-8 0-1.3-2.4-1.3-5.2 0-7.6zM12 5.2v2.2M12 16.600v2.600M9.9 7.6c-.8 3-.8 5.8 0 8.800M14.1 7.6c.8 3 .8 5.8 0 8.8',
  },
  { fill: '#2f5d8a', path: 'M5.5 14.5c2.2-2 4.3-2 6.5 0s4.3 2 6.5 0M5.5 10c2.2-2 4.3-2 6.5 0s4.3 2 6.5 0' },
  { fill: '#6b4d9a', path: 'M12 5l6 10.500H6zM12 5v10.5' },
] as const

export const RpMark = ({ variant, size = 22 }: { readonly variant: number; readonly size?: number }) => {
  const mark = MARKS[variant % MARKS.length] ?? MARKS[0]
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill={mark.fill} />
      <path d={mark.path} stroke="#fff" strokeWidth="1.35" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

const SHOWN_MS = 300
const SAID_MS = 2000

/** Progress of a slow call: first nothing, then a bar at the element's upper edge, and after two seconds a sentence. */
export const Lasting = ({ busy }: { readonly busy: boolean }) => {
  const [stage, setStage] = useState<'quick' | 'shown' | 'said'>('quick')
  useEffect(() => {
    if (!busy) return
    const shown = setTimeout(() => setStage('shown'), SHOWN_MS)
    const explained = setTimeout(() => setStage('said'), SAID_MS)
    return () => {
      clearTimeout(shown)
      clearTimeout(explained)
      setStage('quick')
    }
  }, [busy])
  if (!busy || stage === 'quick') return null
  return (
    <div className={`${styles.lasting} absolute z-3`} data-part="lasting">
      <div role="progressbar" aria-label={texts.lasting.label} />
      {stage === 'said' ? (
        <p className="small muted raised bg-raised leading-18 rounded-7 p-3-10" role="status">
          {texts.lasting.still}
        </p>
      ) : null}
    </div>
  )
}
