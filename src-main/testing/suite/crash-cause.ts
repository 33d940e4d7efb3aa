import type { CrashCause } from '../../core/contract/suite-findings.ts'

type Dialect = {
  readonly error: RegExp
  readonly frame: RegExp
  /** Python’s traceback: the frames are above the error, the innermost is last. */
  readonly isReversed?: boolean
}

const DIALECTS: readonly Dialect[] = [
  // JavaScript, Java, C#.
  {
    error:
      /^(?:Uncaught |Unhandled Exception:\s*|Caused by: |Exception in thread "[^"]*" )?(?:[\w$]+[.$])*\w*(?:Error|Exception)\b.*/,
    frame: /^\s+at (.+)$/,
  },
  {
    error: /^(?:[\w$]+\.)*\w*(?:Error|Exception|Exit|Interrupt)\b.*/,
    frame: /^\s+File "(.+", line \d+(?:, in .+)?)$/,
    isReversed: true,
  },
  // Go.
  { error: /^panic: .+/, frame: /^\t(\S+\.go:\d+)/ },
  // Ruby: the first frame is in the line of the error.
  { error: /^\S+:\d+:in .+ \(\w+(?:::\w+)*\)$/, frame: /^\s+from (.+)$/ },
  { error: /^PHP (?:Fatal|Parse) error: .+/, frame: /^#\d+ (.+)$/ },
]

/** Frames of a library, a package or the runtime. */
const FOREIGN =
  /node_modules|\bnode:|^(?:\w+ )?\(?internal\/|site-packages|dist-packages|\/lib\/(?:python|ruby|go|jvm)|\/go\/(?:src|pkg)\/|\bgems\/|^(?:java|javax|jakarta|jdk|sun|System|Microsoft)\.|<frozen |<anonymous>\)?$|\/vendor\//

const MAX_LINE = 300

/** Finds why a program crashed or a page answered HTTP 500. Undefined if the output has no error with stack frames. */
export const findCrashCause = (output: string): CrashCause | undefined => {
  const lines = plain(output).split(/\r?\n/)
  for (const { error, frame, isReversed = false } of DIALECTS) {
    const at = lines.findLastIndex((line, i) => error.test(line) && frameBeside(lines, i, { frame, isReversed }))
    const message = lines[at]
    if (message === undefined) continue
    const around = isReversed ? lines.slice(0, at).toReversed() : lines.slice(at + 1)
    const frames = around.slice(0, endOf(around, frame)).flatMap((line) => frame.exec(line)?.[1] ?? [])
    const own = frames.find((each) => !FOREIGN.test(each))
    return { error: message.slice(0, MAX_LINE), ...(own === undefined ? {} : { frame: own.slice(0, MAX_LINE) }) }
  }
  return undefined
}

/** A message may have several lines, and Python shows the source below each frame. */
const NEAR = 8

const frameBeside = (lines: readonly string[], at: number, { frame, isReversed }: Omit<Dialect, 'error'>): boolean =>
  (isReversed ? lines.slice(Math.max(0, at - NEAR), at) : lines.slice(at + 1, at + 1 + NEAR)).some((line) =>
    frame.test(line),
  )

const endOf = (lines: readonly string[], frame: RegExp): number => {
  let last = -1
  for (const [i, line] of lines.entries()) {
    if (i - last > NEAR) break
    if (frame.test(line)) last = i
  }
  return last + 1
}

const plain = (text: string): string =>
  /<(?:!doctype|html|pre|body)\b/i.test(text)
    ? text
        .replace(/<br\s*\/?>/gi, '\n')
        .replace(/<[^>]*>/g, '\n')
        .replaceAll('&nbsp;', ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replace(/&#0?39;|&apos;/g, "'")
        .replaceAll('&amp;', '&')
    : text
