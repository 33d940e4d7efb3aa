import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startBench } from '../bench.ts'
import { monotonicMicros, realClock } from '../harness/clock.ts'
import { ok } from '../protocol/result.ts'
import { loadScenarios } from '../scenario/load-scenarios.ts'
import type { Scenario } from '../scenario/parse/scenario.ts'
import { runScenario, type ScenarioReport, type StepReport } from '../scenario/run-scenario.ts'
import { BEGINNINGS } from '../scenario/scenario-words.ts'
import { createControlClient } from '../sdk/client.ts'
import { wholeNumber } from './bench-options.ts'
import { failed, makeCommand, misuse } from './command.ts'
import { terminalLog } from './log.ts'
import { runOptions } from './option-tables.ts'
import { column, paintFor, type Terminal } from './terminal.ts'

/** As a shell says it of what Ctrl-C ended. */
const STOPPED = 130

/** Where the clock of a seeded run stands. */
const START = Date.UTC(2030, 0, 1, 12)

export const run = makeCommand(
  {
    name: 'run',
    usage: 'FILE… [OPTIONS]',
    summary: 'Plays scenarios: simulated RPs and virtual phones against the service, every byte over HTTP.',
    options: runOptions,
    more: [
      'To begin with: copy src-main/scenario/examples/passwordless.yaml, or on the page select a request and “Copy as scenario”.',
      'Exit code 0: everything went as written. 1: a step did not. 2: a file cannot be read as a scenario. 130: ended by hand.',
    ],
  },
  async ({ options, positionals: files, named }, environment) => {
    if (files.length === 0) return misuse(environment, 'run', 'name at least one scenario file.')
    const seed =
      options.seed === undefined ? ok(undefined) : wholeNumber(named('seed'), options.seed, Number.MAX_SAFE_INTEGER)
    if (!seed.ok) return misuse(environment, 'run', seed.error)
    const port = wholeNumber(named('port'), options.port ?? '0', 65_535)
    if (!port.ok) return misuse(environment, 'run', port.error)
    const scenarios: (readonly [string, Scenario])[] = []
    for (const file of files) {
      const loaded = loadScenarios(file)
      if (!loaded.ok) return misuse(environment, 'run', loaded.error)
      for (const scenario of loaded.value) scenarios.push([file, scenario])
    }
    const { terminal, version, root } = environment
    const bench = await startBench({
      port: port.value,
      hosts: [],
      prefix: '/fido',
      seedData: { rps: [], phones: [] },
      version,
      pageFolder: join(root, 'out/renderer'),
      log: terminalLog(terminal, false),
      ...(seed.value === undefined ? {} : { seed: seed.value }),
    })
    if (!bench.ok) return failed(environment, 'run', bench.error)
    const { controlUrl, token, close } = bench.value
    const { stop } = environment
    // What a step waits for ends with the run.
    const client = createControlClient({
      controlUrl,
      token,
      fetch: (url, init) => fetch(url, { ...init, signal: stop }),
    })
    const reporter = options.json === true ? jsonReporter(terminal) : textReporter(terminal)
    let allGood = true
    try {
      for (const [file, scenario] of scenarios) {
        if (stop.aborted) break
        reporter.begin(file, scenario)
        const report = await runScenario(scenario, {
          client,
          start: seed.value === undefined ? realClock.now() : START,
          micros: monotonicMicros,
          pause: (ms) => setTimeout(ms, undefined, { signal: stop }),
          stop,
          onStep: (step) => reporter.step(file, step),
          ...(seed.value === undefined ? {} : { seed: seed.value }),
        })
        reporter.end(file, report)
        allGood &&= report.ok
      }
    } finally {
      await close()
    }
    if (!stop.aborted) return allGood ? 0 : 1
    failed(environment, 'run', 'stopped before the end.')
    return STOPPED
  },
)

type Reporter = {
  begin(file: string, scenario: Scenario): void
  step(file: string, report: StepReport): void
  end(file: string, report: ScenarioReport): void
}

const jsonReporter = ({ out }: Terminal): Reporter => ({
  begin: (file, { name, steps }) => out(JSON.stringify({ event: 'scenario', file, name, steps: steps.length })),
  step: (file, report) => out(JSON.stringify({ event: 'step', file, ...report })),
  end: (file, report) => out(JSON.stringify({ event: 'end', file, ...report })),
})

const textReporter = (terminal: Terminal): Reporter => {
  const { bold, dim, green, red } = paintFor(terminal)
  const room = terminal.width - 14
  const titleWidth = Math.min(50, Math.floor(room * 0.55))
  const { out } = terminal
  return {
    begin: (file, { name, about = '' }) => {
      out(`\n${bold(name)}  ${dim(basename(file))}`)
      if (about !== '') out(dim(about))
      out('')
    },
    step: (file, { ok: good, number, word, title, said, took_ms, line, expected, received, events }) => {
      if (number > 1 && BEGINNINGS.has(word)) out('')
      const mark = good ? green('✓') : red('✗')
      const time = dim(`${Math.round(took_ms)} ms`.padStart(8))
      out(`  ${mark} ${column(title, titleWidth)}  ${dim(column(said, room - titleWidth - 2))}${time}`)
      if (good) return
      out(`\n      ${dim('at'.padEnd(10))}${file}:${line}`)
      out(`      ${dim('expected'.padEnd(10))}${expected}`)
      out(`      ${dim('received'.padEnd(10))}${red(received ?? '')}`)
      for (const [i, event] of events.entries())
        out(`      ${dim((i === 0 ? 'meanwhile' : '').padEnd(10))}${dim(event)}`)
    },
    end: (_file, { ok: good, steps, failed: number = steps, took_ms, stopped }) => {
      if (stopped === true) return
      const count = `${steps} step${steps === 1 ? '' : 's'} in ${Math.round(took_ms)} ms`
      out(
        good
          ? `\n  ${green('passed')}  ${dim(count)}\n`
          : `\n  ${red('failed')}  ${dim(`at step ${number}, after ${Math.round(took_ms)} ms`)}\n`,
      )
    },
  }
}
