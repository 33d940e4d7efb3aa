import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { DEMO_RP } from '../control/seed-data.ts'
import { monotonicMicros, realClock } from '../harness/clock.ts'
import type { Desk, ScenarioSource } from '../mcp/desk.ts'
import { ToolProblem } from '../mcp/desk.ts'
import { serveMcp } from '../mcp/serve-mcp.ts'
import { fileProblemText } from '../messages/en/scenario-files.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Scenario } from '../scenario/parse/scenario.ts'
import { parseScenarios } from '../scenario/parse-scenario.ts'
import { runScenario } from '../scenario/run-scenario.ts'
import type { StepReport } from '../scenario/scenario-setting.ts'
import { type ControlClient, createControlClient } from '../sdk/client.ts'
import { type Environment, failed, makeCommand, misuse } from './command.ts'
import { findBench } from './find-bench.ts'
import { mcpOptions } from './option-tables/running-bench-options.ts'
import { startOwnBench } from './own-bench.ts'
import type { ReadOptions } from './read-options.ts'
import { attachToBench } from './run/attached-bench.ts'
import { stopped } from './serve.ts'

type Parsed = ReadOptions<typeof mcpOptions>

export const mcp = makeCommand(
  {
    name: 'mcp',
    usage: '[OPTIONS]',
    options: mcpOptions,
    more: [
      'It speaks the Model Context Protocol over standard input and output, for programs that test: phones that scan, approve and fail, and explanations of what was refused.',
      'Without a running bench it starts one in memory, which ends with it.',
    ],
  },
  async (parsed, environment) => {
    const [stranger] = parsed.positionals
    if (stranger !== undefined) return misuse(environment, 'mcp', `it takes no "${stranger}".`)
    const opened = await openDesk(parsed, environment)
    if (!opened.ok) return (opened.error.misused ? misuse : failed)(environment, 'mcp', opened.error.problem)
    const { desk, instructions, close } = opened.value
    const handle = serveMcp(desk, { version: environment.version, instructions })
    // Only now: events before the first listener would be lost.
    const ended = environment.inputEnd?.()
    await stopped(ended === undefined ? environment.stop : AbortSignal.any([environment.stop, ended]))
    await handle.close()
    await close()
    return 0
  },
)

type Opened = { readonly desk: Desk; readonly instructions: string; readonly close: () => Promise<void> }
type NotOpened = { readonly problem: string; readonly misused: boolean }

const openDesk = async ({ options, named }: Parsed, environment: Environment): Promise<Result<Opened, NotOpened>> => {
  const found = findBench(options, environment, named)
  if (found.ok) {
    const bench = await attachToBench(found.value, environment.stop)
    if (!bench.ok) return err({ problem: bench.error, misused: false })
    const { client } = bench.value
    const workspace = options.workspace ?? found.value.workspace
    const desk = await deskOf(client, workspace)
    return ok({ desk, instructions: INSTRUCTIONS, close: async () => undefined })
  }
  if (found.error.misused || options.data !== undefined || options['control-url'] !== undefined) return found
  const bench = await startOwnBench(environment, { seedData: { rps: [DEMO_RP], phones: [] } })
  if (!bench.ok) return err({ problem: bench.error, misused: false })
  const { controlUrl, token, baseUrl, rp, close } = bench.value
  const key =
    rp === undefined ? '' : ` Its access key is ${rp.accessKeyId}, the secret ${rp.secretKey}, the RP ID ${rp.rp_id}.`
  return ok({
    desk: await deskOf(createControlClient({ controlUrl, token }), 'main'),
    instructions: `${INSTRUCTIONS} This bench is for you alone: point the site at base_url ${baseUrl}.${key}`,
    close: () => close(),
  })
}

const INSTRUCTIONS =
  'Handset is a sign-in service with virtual phones, for testing a site (relying party) whose users sign in by phone. Let the site ask for a registration or a sign-in; scan its QR code or wait for its push; approve or refuse; look at what the site makes of it. break makes phone or service lie; a good site refuses. explain tells why something failed.'

const deskOf = async (client: ControlClient, workspace: string): Promise<Desk> => {
  const own = client.workspace(workspace)
  const { addresses } = await own.call('overview')
  return { client: own, pageUrl: addresses.ui_url, play: (source, stop) => play(client, source, stop) }
}

const play = async (client: ControlClient, source: ScenarioSource, stop: AbortSignal) => {
  const played = []
  for (const scenario of scenariosIn(source)) {
    const steps: StepReport[] = []
    const report = await runScenario(scenario, {
      ...{ client, start: realClock.now(), micros: monotonicMicros, stop },
      pause: (ms) => setTimeout(ms, undefined, { signal: stop }),
      onStep: (step) => void steps.push(step),
    })
    played.push({ name: scenario.name, report, steps })
  }
  return played
}

const scenariosIn = (source: ScenarioSource): readonly Scenario[] => {
  const read = parseScenarios('yaml' in source ? source.yaml : textIn(source.file))
  if (!read.ok) throw new ToolProblem(`The scenario cannot be played: ${fileProblemText(read.error)}`)
  return read.value
}

const textIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ToolProblem(`There is no file ${file} that can be read.`)
  }
}
