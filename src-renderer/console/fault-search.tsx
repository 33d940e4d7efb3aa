import { Search } from 'lucide-react'

type FaultSearchProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export const FaultSearch = ({ label, value, onChange }: FaultSearchProps) => (
  <label className="field" data-quiet>
    <Search size={13} strokeWidth={1.75} aria-hidden="true" />
    <input
      // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
      autoFocus
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
)

type Named = { readonly name: string; readonly title: string }

/** Those that have every word that is wanted in their name, their English title or their text on the page. */
export const faultsWith = <F extends Named>(
  wanted: string,
  faults: readonly F[],
  textOf: (name: string) => string,
): readonly F[] => {
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  return faults.filter(({ name, title }) => {
    const text = `${name} ${title} ${textOf(name)}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
}
