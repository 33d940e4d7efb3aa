import { RotateCcw } from 'lucide-react'
import { isOrigin, type ProfileSetting } from '../../src-main/core/contract/profile.ts'
import { CommitField, IconButton, Segmented, Switch } from '../ui/primitives.tsx'
import { translate, translateText } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import styles from './setting-row.module.css'

type SettingRowProps = {
  /** True if the address names this setting. */
  readonly led: boolean
  readonly settingKey: string
  readonly setting: ProfileSetting
  readonly value: unknown
  readonly changed: boolean
  readonly onChange: (value: unknown) => void
  readonly onReset: () => void
}

export const SettingRow = ({ led, settingKey, setting, value, changed, onChange, onReset }: SettingRowProps) => {
  const words = texts.console.profilePage
  const name = translateText('profileNames', settingKey, setting.name)
  const wide = setting.rule.kind === 'set' || setting.rule.kind === 'origins' || setting.rule.kind === 'identifiers'
  return (
    <div className={styles.setting} data-address={settingKey} data-led={led || undefined}>
      <div>
        <h3 className="text-13 weight-560">
          {name}
          {changed ? <span className="small weight-500 accent ml-8">{words.changed(defaultText(setting))}</span> : null}
        </h3>
        <p className="muted leading-17 pretty mt-1" {...translate('profileSentences', settingKey, setting.sentence)} />
      </div>
      <code className={`${styles.key} small faint breaks`}>{settingKey}</code>
      <div className={`${styles.control} row gap-6 ${wide ? 'whole-row m-8-0-4' : 'ends'}`}>
        <Control name={name} rule={setting.rule} value={value} onChange={onChange} />
        {changed ? <IconButton Icon={RotateCcw} name={words.reset(name)} onClick={onReset} /> : null}
      </div>
    </div>
  )
}

const defaultText = ({ rule }: ProfileSetting): string => {
  const words = texts.console.profilePage
  switch (rule.kind) {
    case 'choice':
      return rule.values[0] ?? ''
    case 'flag':
      return rule.default ? words.on : words.off
    case 'number':
      return String(rule.default)
    default:
      return rule.default.length === 0 ? words.empty : words.all
  }
}

type ControlProps = {
  readonly name: string
  readonly rule: ProfileSetting['rule']
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const Control = ({ name, rule, value, onChange }: ControlProps) => {
  switch (rule.kind) {
    case 'flag':
      return <Switch name={name} on={value === true} onFlip={onChange} />
    case 'choice':
      return (
        <Segmented
          name={name}
          value={String(value)}
          options={rule.values.map((each) => ({ value: each, text: each }))}
          onPick={onChange}
        />
      )
    case 'number':
      return (
        <CommitField
          name={name}
          mono
          width={rule.unit === undefined || rule.unit.length < 3 ? 104 : 148}
          value={String(value)}
          range={{ kind: 'whole', least: rule.min, most: rule.max }}
          unit={rule.unit === undefined ? undefined : translateText('profileUnits', rule.unit, rule.unit)}
          onCommit={(text) => onChange(Number(text))}
        />
      )
    case 'set':
      return <Choices name={name} rule={rule} chosen={asList(value)} onChange={onChange} />
    case 'origins':
      return (
        <CommitField
          name={name}
          mono
          width={420}
          value={asList(value).join(' ')}
          problemOf={originProblem}
          onCommit={(text) => onChange(splitOrigins(text))}
        />
      )
    case 'identifiers':
      return (
        <CommitField
          name={name}
          mono
          width={420}
          value={asList(value).join(', ')}
          onCommit={(text) => onChange(entriesOf(text))}
        />
      )
  }
}

/** Separated by commas, because an identifier may contain spaces. */
const entriesOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

type ChoicesProps = {
  readonly name: string
  readonly rule: Extract<ProfileSetting['rule'], { readonly kind: 'set' }>
  readonly chosen: readonly string[]
  readonly onChange: (values: readonly string[]) => void
}

const PLAIN = 'inline-flex h-26 p-0-10'
const MEANT = `${styles.meant} grid gap-12 p-4-10`

/** Unless the list may be empty, the last chosen value cannot be switched off. */
const Choices = ({ name, rule: { values, meanings, atLeast }, chosen, onChange }: ChoicesProps) => (
  <fieldset
    className={`${styles.choices} gap-6 borderless ${meanings === undefined ? 'flex wraps' : 'column'}`}
    aria-label={name}
  >
    {values.map((value) => {
      const on = chosen.includes(value)
      return (
        <label className={`choice middle faint rounded-7 framed ${meanings === undefined ? PLAIN : MEANT}`} key={value}>
          <input
            type="checkbox"
            checked={on}
            disabled={on && chosen.length === 1 && atLeast !== 0}
            onChange={() => onChange(values.filter((each) => (each === value ? !on : chosen.includes(each))))}
          />
          {value}
          {meanings?.[value] === undefined ? null : <span {...translate('relaxedRules', value, meanings[value])} />}
        </label>
      )
    })}
  </fieldset>
)

export const splitOrigins = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '')

export const originProblem = (text: string): string | undefined => {
  const bad = splitOrigins(text).find((each) => !isOrigin(each))
  return bad === undefined ? undefined : texts.wrong.origin(bad)
}
