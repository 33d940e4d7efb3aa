import type { ScenarioResult } from '../../core/contract/run-report.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import { BEGINNING_WORDS } from '../../testing/scenario/run-step.ts'
import type { Job, JobListener, JobResult, PlayedAttempt } from '../../testing/scenario/runner/run-jobs.ts'
import { fitColumn, fitName, fitPath, type Paint, paintFor, type Terminal } from '../terminal.ts'

export const jsonListener = ({ out }: Terminal): JobListener => ({
  begin: ({ id, file, scenario: { name, steps } }) =>
    out(JSON.stringify({ event: 'scenario', id, file, name, steps: steps.length })),
  step: ({ file }, step) => out(JSON.stringify({ event: 'step', file, ...step })),
  retry: ({ id, file }, { took_ms, steps }) =>
    out(JSON.stringify({ event: 'retry', id, file, steps: steps.length, took_ms })),
  end: ({ id, file }, { outcome, attempts }) => {
    const { ok = false, took_ms = 0, steps = [], stopped } = attempts.at(-1) ?? {}
    out(JSON.stringify({ event: 'end', id, file, ok, outcome, steps: steps.length, took_ms, stopped }))
  },
})

export const stepListener = (terminal: Terminal): JobListener => {
  const { bold, dim, green, red, yellow } = paintFor(terminal)
  const room = terminal.width - 14
  const titleWidth = Math.min(50, Math.floor(room * 0.55))
  const { out } = terminal
  return {
    begin: ({ file, scenario: { name, about = '', skip } }) => {
      out(`\n${bold(name)}  ${dim(file)}`)
      if (about !== '') out(dim(about))
      out(skip === undefined ? '' : `\n  ${yellow('skipped')}  ${dim(skip)}\n`)
    },
    step: ({ file }, step) => {
      if (step.number > 1 && BEGINNING_WORDS.has(step.word)) out('')
      const mark = step.ok ? green('✓') : red('✗')
      const time = dim(`${Math.round(step.took_ms)} ms`.padStart(8))
      out(`  ${mark} ${fitColumn(step.title, titleWidth)}  ${dim(fitColumn(step.said, room - titleWidth - 2))}${time}`)
      if (!step.ok) out(['', ...failureLines(file, step, paintFor(terminal))].join('\n'))
    },
    retry: (_, { took_ms }) => out(`\n  ${red('failed')}  ${dim(`after ${Math.round(took_ms)} ms; tried again`)}\n`),
    end: ({ id }, { outcome, attempts }) => {
      const last = attempts.at(-1)
      if (last === undefined || last.stopped === true) return
      const count = `${last.steps.length} step${last.steps.length === 1 ? '' : 's'} in ${Math.round(last.took_ms)} ms`
      if (outcome === 'passed') return out(`\n  ${green('passed')}  ${dim(count)}\n`)
      if (outcome === 'flaky') return out(`\n  ${yellow('flaky')}  ${dim(`passed at attempt ${attempts.length}`)}\n`)
      const at = `at step ${last.steps.find(({ ok }) => !ok)?.number ?? 0}, after ${Math.round(last.took_ms)} ms`
      out(`\n  ${red('failed')}  ${dim(at)}\n  ${dim(replayLine(id))}\n`)
    },
  }
}

export const lineListener = (terminal: Terminal, count: number): JobListener => {
  const paint = paintFor(terminal)
  const { dim, green, red, yellow } = paint
  const { out, status } = terminal
  const room = terminal.width - 14
  const running = new Set<Job>()
  let over = 0
  let failures = 0
  const showStatus = (): void => {
    if (status === undefined) return
    const [first] = running
    const now =
      first === undefined ? '' : `  ${first.scenario.name}${running.size > 1 ? ` and ${running.size - 1} more` : ''}`
    const failing = failures === 0 ? '' : `, ${failures} failed`
    status(over === count ? '' : fitColumn(`  ${over}/${count}${failing}${now}`, terminal.width - 1).trimEnd())
  }
  const marks: Readonly<Record<ScenarioResult['outcome'], string>> = {
    passed: green('✓'),
    failed: red('✗'),
    flaky: yellow('~'),
    skipped: yellow('-'),
    stopped: dim('·'),
  }
  return {
    begin: (job) => {
      running.add(job)
      showStatus()
    },
    step: () => undefined,
    retry: () => undefined,
    end: (job, { outcome, attempts, reason }) => {
      running.delete(job)
      over += 1
      if (outcome === 'failed') failures += 1
      if (outcome !== 'stopped') {
        const took = attempts.reduce((sum, { took_ms }) => sum + took_ms, 0)
        const width = Math.floor(room * 0.6)
        const rest = room - width - 2
        const path = attempts.length > 1 ? `${job.file}, ${attempts.length} attempts` : job.file
        const beside = reason === undefined ? fitPath(path, rest) : fitColumn(reason, rest)
        const line = `${fitName(job.scenario.name, width)}  ${dim(beside)}`
        out(`  ${marks[outcome]} ${line}${dim(`${Math.round(took)} ms`.padStart(8))}`)
      }
      if (outcome === 'failed') out(failureText(job, attempts, paint))
      showStatus()
    },
  }
}

const failureText = ({ file, id }: Job, attempts: readonly PlayedAttempt[], paint: Paint): string => {
  const steps = attempts.at(-1)?.steps.filter(({ ok }) => !ok) ?? []
  const lines = steps.flatMap((step) => [
    `      ${paint.dim('step'.padEnd(10))}${step.title}`,
    ...failureLines(file, step, paint),
  ])
  return [...lines, `      ${paint.dim(replayLine(id))}`, ''].join('\n')
}

const failureLines = (file: string, step: PlayedAttempt['steps'][number], { dim, red }: Paint): readonly string[] => [
  `      ${dim('at'.padEnd(10))}${step.file ?? file}:${step.line}`,
  `      ${dim('expected'.padEnd(10))}${indented(step.expected)}`,
  `      ${dim('received'.padEnd(10))}${red(indented(step.received))}`,
  ...(step.why ?? []).map((reason, i) => `      ${dim((i === 0 ? 'why' : '').padEnd(10))}${indented(reason)}`),
  ...step.events.map((event, i) => `      ${dim((i === 0 ? 'meanwhile' : '').padEnd(10))}${dim(event)}`),
]

const indented = (text = ''): string => text.replaceAll('\n', `\n${' '.repeat(16)}`)

const replayLine = (id: string): string => `replay    npx handset run --replay ${shellWord(id)}`

export const summaryText = (
  results: readonly JobResult[],
  { took_ms, seed, paint }: { readonly took_ms: number; readonly seed: number; readonly paint: Paint },
): string => {
  const { dim, green, red, yellow } = paint
  const colors = { failed: red, flaky: yellow, passed: green, skipped: yellow, stopped: dim }
  const counted = Object.entries(colors).flatMap(([outcome, color]) => {
    const count = results.filter((result) => result.outcome === outcome).length
    const name = outcome === 'stopped' ? 'not finished' : outcome
    return count === 0 ? [] : [color(`${count} ${name}`)]
  })
  return `\n  ${counted.join(', ')}  ${dim(`in ${(took_ms / 1000).toFixed(1)} s, seed ${seed}`)}\n`
}
