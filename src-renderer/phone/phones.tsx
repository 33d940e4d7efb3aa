import { Plus, Smartphone } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { useBench, useTools } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { texts } from '../ui/texts.ts'
import { Phone } from './phone.tsx'

type PhonesProps = {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly onWatch: (watching: boolean) => void
}

export const Phones = ({ canvas, onWatch }: PhonesProps) => {
  const { phones } = useBench()
  if (phones.length === 0) return <NoPhones />
  return (
    <div className="phones">
      {phones.map((phone) => (
        <Phone key={phone.id} phone={phone} canvas={canvas} onWatch={onWatch} />
      ))}
    </div>
  )
}

const NoPhones = () => {
  const { api } = useTools()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    await api.call((client) => client.call('phones.create', { body: { name: texts.phone.names[0] } }))
    setBusy(false)
  }
  return (
    <div className="phone-none">
      <Smartphone size={28} strokeWidth={1.5} aria-hidden="true" />
      <p>{texts.phone.none}</p>
      <Button look="primary" disabled={busy} onClick={() => void add()}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
        {texts.phone.addFirst}
      </Button>
    </div>
  )
}
