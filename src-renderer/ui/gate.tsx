import { RotateCcw } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { openWithSecret, waitForAnotherTab } from '../session.ts'
import { useDroppedFile } from '../trace/use-dropped-file.ts'
import { Button, Form, HandsetMark, TextField, Wrong } from './primitives.tsx'
import { texts } from './texts.ts'

type GateProps = { readonly state: 'opening' | 'none' | 'refused' | 'unreachable' | 'lockedOut' | 'closed' }

const COMMANDS = { none: 'open', refused: 'open', lockedOut: 'open', unreachable: 'serve', closed: undefined } as const

export const Gate = ({ state }: GateProps) => {
  const command = state === 'opening' ? undefined : COMMANDS[state]
  const hasDoor = command === 'open'
  useEffect(() => (hasDoor ? waitForAnotherTab() : undefined), [hasDoor])
  if (state === 'opening') {
    return (
      <main className="centred tall p-24">
        <p className="unseen">{texts.gate.opening}</p>
      </main>
    )
  }
  const words = texts.gate[state]
  return (
    <main className="centred tall p-24">
      <div className="column middle gap-8 text-center max-w-420">
        <HandsetMark size={44} />
        <h1 className="page-title mt-14">{words.title}</h1>
        <p className="muted balanced">{words.body}</p>
        {command === undefined ? null : (
          <code className="small bg-surface rounded-7 mt-8 p-6-12">handset {command}</code>
        )}
        <Dropped />
        {hasDoor ? <Door /> : null}
        {state === 'closed' ? (
          <Button className="mt-12" onClick={() => location.assign('/')} text={texts.gate.toMain} />
        ) : (
          <Button className="mt-12" Icon={RotateCcw} onClick={() => location.reload()} text={texts.gate.retry} />
        )}
      </div>
    </main>
  )
}

/** Says that a dropped trace needs a workspace page. Not shown while connecting, since the user can soon drop again. */
const Dropped = () => {
  const [dropped, setDropped] = useState(false)
  useDroppedFile(() => setDropped(true))
  return dropped ? (
    <p className="muted balanced" role="alert">
      {texts.gate.dropped}
    </p>
  ) : null
}

const Door = () => {
  const words = texts.gate.door
  const id = useId()
  const [given, setGiven] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const { kind } = await openWithSecret(given)
    setBusy(false)
    if (kind === 'open') location.reload()
    else setProblem(kind === 'refused' ? words.wrong : texts.gate.unreachable.title)
  }
  return (
    <Form className="grid rest-and-own gap-6-8 wide text-left mt-16" onSubmit={submit}>
      <label className="whole-row weight-560" htmlFor={id}>
        {words.label}
      </label>
      <TextField
        wrong={problem !== undefined}
        id={id}
        type="password"
        aria-describedby={`${id}-help`}
        value={given}
        onText={(text) => {
          setProblem(undefined)
          setGiven(text)
        }}
      />
      <Button look="primary" type="submit" disabled={busy || given.trim() === ''} text={words.open} />
      <Wrong className="whole-row" text={problem} />
      <small className="whole-row muted" id={`${id}-help`}>
        {words.help}
      </small>
    </Form>
  )
}
