import { ArrowLeft, FileUp, History, Link } from 'lucide-react'
import { useRef } from 'react'
import { traceTitle } from '../../src-main/core/messages/trace-title.ts'
import { BenchContext, useBenchPart } from '../bench/use-bench.ts'
import { useAction, useActions } from '../palette/actions.ts'
import { isInspecting, withAbout } from '../ui/address.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { dateAndTime, wholeNumber } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { Button, Chip } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { currentAddress, LinkContext, linkTo, useTitle } from '../ui/use-address.ts'
import { TraceNotes, TracePanes } from '../viewer/trace-panes.tsx'
import type { OpenedTrace } from './open-trace.ts'

type TraceScreenProps = { readonly opened: OpenedTrace; readonly onLeave: () => void }

export const TraceScreen = ({ opened: { fileName, header, screens, tools }, onLeave }: TraceScreenProps) => {
  const words = texts.trace
  const title = traceTitle(header, messages)
  useTitle(`${title} · ${fileName}`)
  const actions = useActions()
  const back = useRef<HTMLButtonElement>(null)
  useAction('leave-trace', back, onLeave)
  return (
    <main className="column whole-window bg-surface" data-part="trace">
      {/* Its colour shows that this is not the workspace. */}
      <header className="row wraps rigid bg-warn-soft warn-line-below gap-4-12 min-h-44 px-12 py-6">
        <Button Icon={ArrowLeft} ref={back} onClick={onLeave} autoFocus text={texts.palette.names['leave-trace']} />
        <Chip tone="warn">
          <History size={12} strokeWidth={2} />
          {words.mark}
        </Chip>
        <h1 className="narrows clip text-14 weight-600" title={title}>
          {title}
        </h1>
        <p className="grow muted clip min-w-120">
          {fileName} ·{' '}
          <BenchContext value={tools}>
            <Count />
          </BenchContext>{' '}
          · {words.savedAt(dateAndTime(header.saved))}
        </p>
        <CopyButton name={words.copyLink} text={linkToWhole} Icon={Link} />
        <Button Icon={FileUp} look="ghost" onClick={() => actions.run('open-trace')} text={words.another} />
      </header>
      <TraceNotes header={header} />
      <BenchContext value={tools}>
        <LinkContext value="trace">
          <TracePanes screens={screens} />
        </LinkContext>
      </BenchContext>
    </main>
  )
}

/** Link to the whole trace with its search; the inspector's own link leads to one event. */
const linkToWhole = (): string => {
  const here = currentAddress()
  return linkTo(isInspecting(here) ? withAbout(here, undefined) : here)
}

/** Number of exchanges, known only when the whole trace is read. */
const Count = () => {
  const count = useBenchPart(({ fetched, timeline }) => (fetched === undefined ? timeline.exchanges : undefined))
  return <>{count === undefined ? texts.trace.reading : texts.trace.exchanges(wholeNumber(count))}</>
}
