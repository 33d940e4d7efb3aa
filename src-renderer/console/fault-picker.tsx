import { Search } from 'lucide-react'
import { useState } from 'react'
import { said, saidText } from '../ui/service-words.ts'
import { texts } from '../ui/texts.ts'
import { useAsked } from '../ui/use-asked.ts'

/** Finds a fault among all of them, by its name or by what goes wrong. */
export const FaultPicker = ({ onPick }: { readonly onPick: (fault: string) => void }) => {
  const words = texts.console.faults
  const answer = useAsked((client) => client.call('catalogue.faults'))
  const [wanted, setWanted] = useState('')
  const all = answer?.faults ?? []
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter(({ name, title }) => {
    const text = `${name} ${title} ${saidText('faults', name, '')}`.toLowerCase()
    return parts.every((part) => text.includes(part))
  })
  return (
    <div className="fault-picker">
      <label className="field" data-quiet>
        <Search size={13} strokeWidth={1.75} aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed.
          autoFocus
          type="search"
          aria-label={words.search(all.length)}
          placeholder={words.search(all.length)}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      <ul aria-label={words.list}>
        {found.map(({ name, title, ceremony }) => (
          <li key={name}>
            <button type="button" onClick={() => onPick(name)}>
              <span {...said('faults', name, title)} />
              <small>{words.ceremonies[ceremony]}</small>
              <code>{name}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
