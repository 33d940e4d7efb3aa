import { readFileSync } from 'node:fs'
import { builtPageFolder, loadViewer } from '../bench/control/page.ts'
import { type BenchEvent, isSignatureMismatch } from '../core/contract/events.ts'
import type { TraceHeader } from '../core/contract/trace.ts'
import { en } from '../core/messages/en/en.ts'
import { eventSummary } from '../core/messages/event-sentences.ts'
import { signatureText } from '../core/messages/signature-text.ts'
import { traceTitle } from '../core/messages/trace-title.ts'
import { createHar } from '../views/report/har.ts'
import { isTrouble } from '../views/timeline/event-views.ts'
import type { TraceHandlers } from '../views/trace/read-trace.ts'
import { makeCommand } from './command.ts'
import { fail, misuse, needed } from './command-end.ts'
import { readTraceFile } from './in-file.ts'
import { jsonFile } from './run/results-folder.ts'
import { tracePage } from './run/viewer-pages.ts'
import { paintFor, type Terminal } from './terminal.ts'
import { writeWholeFile } from './write-whole.ts'

export const show = makeCommand(
  {
    name: 'show',
    usage: 'FILE [OPTIONS]',
    more: [
      'Of a damaged trace it shows what can be read.',
      'Exit code 2: the file is no trace, is damaged, or was written by a newer Handset.',
    ],
  },
  async ({ options, positionals: [file, ...others] }, environment) => {
    if (file === undefined || others.length > 0) return misuse('name one trace.')
    const { terminal, root } = environment
    const { html, har } = options
    const viewer = html === undefined ? undefined : needed(loadViewer(builtPageFolder(root)), fail)
    const lines = inPieces(terminal)
    const kept: BenchEvent[] = []
    const prints = options.json === true || (html === undefined && har === undefined)
    const { header, began, event, signature, end }: ShownReader =
      prints && options.json !== true ? textLines(terminal, lines.add) : jsonLines(lines.add)
    const reader: TraceHandlers = {
      header: (about) => header?.(about),
      ...(began === undefined ? {} : { began }),
      event: (each) => {
        if (har !== undefined) kept.push(each)
        if (prints) event(each)
      },
      signature: (each) => prints && signature(each),
    }
    let about: TraceHeader
    try {
      about = (await readTraceFile(file, reader, { last: options.last })).header
    } finally {
      // The readable part of a damaged trace is printed before the refusal.
      if (prints) end?.()
      lines.flush()
    }
    const write = (path: string, text: string) => needed(writeWholeFile(path, text), fail)
    if (html !== undefined && viewer !== undefined)
      write(html, tracePage(traceTitle(about, en), readFileSync(file), viewer))
    if (har !== undefined) write(har, jsonFile(createHar(kept, about.handset, noteIn(about))))
    return 0
  },
)

const PIECE = 64 * 1024

/** Writes several lines at a time: a write for each line takes longer than reading a large trace. */
const inPieces = ({ out }: Terminal) => {
  let piece: string[] = []
  let length = 0
  const flush = (): void => {
    if (piece.length > 0) out(piece.join('\n'))
    piece = []
    length = 0
  }
  const add = (line: string): void => {
    piece.push(line)
    length += line.length
    if (length > PIECE) flush()
  }
  return { add, flush }
}

type ShownReader = TraceHandlers & Required<Pick<TraceHandlers, 'signature'>> & { readonly end?: () => void }

/** Column of an event's text. */
const INDENT = ' '.repeat(2 + 5 + 1 + 11 + 2 + 10 + 1)

const jsonLines = (add: (line: string) => void): ShownReader => ({
  event: (event) => add(JSON.stringify(event)),
  signature: (signature) => add(JSON.stringify({ signature })),
})

const textLines = (terminal: Terminal, add: (line: string) => void): ShownReader => {
  const { bold, dim, red } = paintFor(terminal)
  let began: number | undefined
  /** Lines held back from the first request that may have an explanation: explanations are at the end of a trace. */
  const waiting: { readonly seq: number; readonly line: string }[] = []
  const reasons = new Map<number, string>()
  return {
    header: (header) => {
      const { workspace, handset, note = '' } = header
      add(`\n${bold(traceTitle(header, en))}  ${dim(`workspace ${workspace}, Handset ${handset}`)}`)
      if (header.began_earlier === true) add(en.traceNotes.began_earlier)
      add(note === '' ? '' : `${note}\n`)
    },
    began: ({ wall }) => {
      began = wall
    },
    event: (event) => {
      began ??= event.wall
      const time = `+${((event.wall - began) / 1000).toFixed(3)} s`.padStart(11)
      const text = eventSummary(event)
      const line = `  ${dim(`${String(event.seq).padStart(5)} ${time}  ${event.kind.padEnd(10)}`)} ${isTrouble(event) ? red(text) : text}`
      if (waiting.length > 0 || isSignatureMismatch(event)) waiting.push({ seq: event.seq, line })
      else add(line)
    },
    signature: ({ seq, explanation }) => void reasons.set(seq, signatureText(en, explanation)),
    end: () => {
      for (const { seq, line } of waiting) {
        add(line)
        const reason = reasons.get(seq) ?? ''
        if (reason !== '') add(`${INDENT}${reason}`)
      }
    },
  }
}

const noteIn = ({ began_earlier }: TraceHeader): string => (began_earlier === true ? en.traceNotes.began_earlier : '')
