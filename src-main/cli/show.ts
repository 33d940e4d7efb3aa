import { readFileSync, writeFileSync } from 'node:fs'
import { en } from '../messages/en/en.ts'
import { eventSummary } from '../messages/event-summary.ts'
import { isTrouble } from '../report/event-blocks.ts'
import { harOf } from '../report/har.ts'
import { reportPage } from '../report/report-page.ts'
import type { Trace } from '../trace/trace.ts'
import { makeCommand, misuse } from './command.ts'
import { showOptions } from './option-tables.ts'
import { readTraceFile } from './read-trace-file.ts'
import { loadViewer, tracePage } from './run/load-viewer.ts'
import { paintFor, type Terminal } from './terminal.ts'

export const show = makeCommand(
  {
    name: 'show',
    usage: 'FILE [OPTIONS]',
    summary: 'Shows a trace: what happened in a workspace, as a run, a test or the page saved it.',
    options: showOptions,
    more: ['Exit code 2: the file is no trace, is damaged, or was written by a newer Handset.'],
  },
  async ({ options, positionals: [file, ...others] }, environment) => {
    if (file === undefined || others.length > 0) return misuse(environment, 'show', 'name one trace.')
    const trace = await readTraceFile(file)
    if (!trace.ok) return misuse(environment, 'show', trace.error)
    const { header, events } = trace.value
    const { html, har } = options
    if (html !== undefined) writeFileSync(html, pageOf(trace.value, readFileSync(file), environment.root))
    if (har !== undefined) writeFileSync(har, `${JSON.stringify(harOf(events, header.handset), undefined, 2)}\n`)
    if (options.json === true) for (const event of events) environment.terminal.out(JSON.stringify(event))
    else if (html === undefined && har === undefined) showText(trace.value, environment.terminal)
    return 0
  },
)

const showText = ({ header, events }: Trace, terminal: Terminal): void => {
  const { bold, dim, red } = paintFor(terminal)
  const { out } = terminal
  const began = events[0]?.wall ?? header.saved
  out(`\n${bold(header.title)}  ${dim(`workspace ${header.workspace}, Handset ${header.handset}`)}\n`)
  for (const event of events) {
    const time = `+${((event.wall - began) / 1000).toFixed(3)} s`.padStart(11)
    const text = eventSummary(event)
    out(
      `  ${dim(`${String(event.seq).padStart(5)} ${time}  ${event.kind.padEnd(10)}`)} ${isTrouble(event) ? red(text) : text}`,
    )
  }
  out('')
}

/** With the page’s timeline and inspector where the page is built, else as a list. */
const pageOf = ({ header, events }: Trace, bytes: Uint8Array, root: string): string => {
  const viewer = loadViewer(root)
  if (viewer.ok) return tracePage(header.title, bytes, viewer.value)
  return reportPage(
    {
      ...{ title: header.title, workspace: header.workspace, version: header.handset, events, more: false },
      now: { wall: header.saved, bench: events.at(-1)?.bench ?? header.saved },
    },
    en,
  )
}
