import { useEffect, useState } from 'react'
import type { TraceProblem } from '../../src-main/core/contract/trace.ts'
import { traceTitle } from '../../src-main/core/messages/trace-title.ts'
import type { Result } from '../../src-main/core/protocol/result.ts'
import { BenchContext } from '../bench/use-bench.ts'
import { ActionsContext, createActions } from '../palette/actions.ts'
import { whenDone } from '../ui/effects.ts'
import { dateAndTime } from '../ui/format.ts'
import { messages } from '../ui/messages.ts'
import { texts } from '../ui/texts.ts'
import { LinkContext } from '../ui/use-address.ts'
import type { OnProblem } from './embedded.ts'
import { TraceNotes, TracePanes } from './trace-panes.tsx'
import type { TraceBench } from './trace-store.ts'

type TraceViewProps = {
  /** False if a heading elsewhere already names the trace. */
  readonly titled: boolean
  readonly load: (onProblem: OnProblem) => Promise<Result<TraceBench, TraceProblem>>
}

export const TraceView = ({ titled, load }: TraceViewProps) => {
  const [opened, setOpened] = useState<TraceBench | TraceProblem>()
  const [actions] = useState(createActions)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who shows another trace shows another view.
  useEffect(() => whenDone(load(setOpened), (read) => setOpened(read.ok ? read.value : read.error)), [])
  if (opened === undefined) return <p className="faint p-16">{texts.viewer.opening}</p>
  if ('code' in opened) return <p className="faint p-16">{texts.viewer.problems[opened.code]}</p>
  const { header, screens, tools } = opened
  return (
    <ActionsContext value={actions}>
      {titled ? (
        <header className="grid rigid line-below breaks gap-2 px-16 py-12">
          <h1 className="text-15">{traceTitle(header, messages)}</h1>
          <p className="faint">
            {texts.viewer.of(header.workspace, header.handset)} · {texts.trace.savedAt(dateAndTime(header.saved))}
          </p>
        </header>
      ) : null}
      <TraceNotes header={header} />
      <BenchContext value={tools}>
        <LinkContext value={undefined}>
          <TracePanes screens={screens} />
        </LinkContext>
      </BenchContext>
    </ActionsContext>
  )
}
