import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import styles from './new-rp.module.css'

export const NewRp = ({ onMade }: { readonly onMade: (id: string) => void }) => {
  const words = texts.console.newRp
  const { act, problem } = useAct()
  const [name, setName] = useState('')
  const [rpId, setRpId] = useState('localhost')
  const [origin, setOrigin] = useState(location.origin)
  const fields = [
    { text: words.name, help: words.nameHelp, value: name, set: setName },
    { text: words.rpId, help: words.rpIdHelp, value: rpId, set: setRpId },
    { text: words.origin, help: words.originHelp, value: origin, set: setOrigin },
  ]
  const make = () =>
    act(async (client) => {
      const rp = await client.call('rps.create', { body: { name, rp_id: rpId, origins: [origin] } })
      await client.call('keys.create', { params: { rp: rp.id }, body: {} })
      onMade(rp.id)
    })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void make()
      }}
    >
      <h2>{words.title}</h2>
      {fields.map((field) => (
        <label key={field.text}>
          <b>{field.text}</b>
          <span className="field">
            <input
              aria-label={field.text}
              value={field.value}
              spellCheck={false}
              onChange={(event) => field.set(event.target.value)}
            />
          </span>
          <small>{field.help}</small>
        </label>
      ))}
      <Problem problem={problem} />
      <Button look="primary" type="submit" disabled={name.trim() === '' || rpId === ''}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
        {words.make}
      </Button>
    </form>
  )
}
