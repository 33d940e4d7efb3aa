import type { LucideIcon } from 'lucide-react'
import type { FormHTMLAttributes, InputHTMLAttributes, ReactNode, Ref } from 'react'

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'name' | 'width'> & {
  /** Absent within a label, which names the field. */
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
        className={mono ? 'mono' : undefined}
        aria-label={name}
        aria-invalid={wrong}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onText(target.value)}
        {...rest}
      />
      {unit === undefined ? null : <span className="unit">{unit}</span>}
      {children}
    </Frame>
  )
}

type SelectFieldProps<T extends string> = {
  readonly name: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly text: string }[]
  readonly onPick: (value: T) => void
  readonly width?: number
}

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

/** Unseen: a button opens its dialog. */
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
