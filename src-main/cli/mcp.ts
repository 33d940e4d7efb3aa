import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DEMO_RP } from '../bench/control/seed-data.ts'
import { monotonicMicros, realClock } from '../bench/harness/clock.ts'
import { LONGEST_PICTURE } from '../core/contract/control/phone-routes.ts'
import { fileProblemText } from '../core/contract/scenario/file-problems.ts'
import { type ControlClient, createControlClient } from '../sdk/client.ts'
import { serveMcp } from '../testing/mcp/serve-mcp.ts'
import { type ScenarioSource, type ToolContext, ToolProblem } from '../testing/mcp/tool-context.ts'
import { isInsideFolder } from '../testing/scenario/is-below.ts'
import type { Scenario } from '../testing/scenario/parse/scenario.ts'
import { parseScenarios } from '../testing/scenario/parse-scenario.ts'
import { findOutsideStep } from '../testing/scenario/report-scenario.ts'
import { runScenario } from '../testing/scenario/run-scenario.ts'
import { loadScenarios } from '../testing/scenario/runner/read-scenarios.ts'
import type { StepReport } from '../testing/scenario/scenario-setting.ts'
import { type Environment, makeCommand, waitForStop } from './command.ts'
import { fail, needed } from './command-end.ts'
import { tryFindBench } from './find-bench.ts'
import { startOwnBench } from './own-bench.ts'
import type { Read } from './read-options.ts'
import { attachToBench } from './run/attached-bench.ts'

type Parsed = Read<'mcp'>

export const mcp = makeCommand(
  {
    name: 'mcp',
    usage: '[OPTIONS]',
    more: [
      'It speaks the Model Context Protocol over standard input and output, for programs that test: phones that scan, approve and fail, and explanations of what was refused.',
      'Without a running bench it starts one in memory, which ends with it.',
    ],
  },
  async (parsed, environment) => {
    const { context, instructions, close } = await openContext(parsed, environment)
    const handle = serveMcp(context, { version: environment.version, instructions })
    // Read standard input only now: events before the first listener would be lost.
    const ended = environment.inputEnd?.()
    await waitForStop(ended === undefined ? environment.stop : AbortSignal.any([environment.stop, ended]))
    await handle.close()
    await close()
    return 0
  },
)

type Opened = { readonly context: ToolContext; readonly instructions: string; readonly close: () => Promise<void> }

const openContext = async (parsed: Parsed, environment: Environment): Promise<Opened> => {
  const { options } = parsed
  const found = tryFindBench(parsed, environment)
  if (typeof found !== 'string') {
    const client = await attachToBench(found, environment.stop)
    const context = await contextOf(client, options.workspace ?? found.workspace, options)
    return { context, instructions: INSTRUCTIONS, close: async () => undefined }
  }
  if ((options.data ?? options['control-url']) !== undefined) fail(found)
  const bench = await startOwnBench(environment, { seedData: { rps: [DEMO_RP], phones: [] } })
  const { controlUrl, token, baseUrl, rp, close } = needed(bench, fail)
  const key =
    rp === undefined ? '' : ` Its access key is ${rp.accessKeyId}, the secret ${rp.secretKey}, the RP ID ${rp.rp_id}.`
  return {
    context: await contextOf(createControlClient({ controlUrl, token }), 'main', options),
    instructions: `${INSTRUCTIONS} This bench is for you alone: point the site at base_url ${baseUrl}.${key}`,
    close: () => close(),
  }
}

const INSTRUCTIONS =
  'Handset is a sign-in service with virtual phones, for testing a site (relying party) whose users sign in by phone. Let the site ask for a registration or a sign-in; scan its QR code or wait for its push; approve or refuse; look at what the site makes of it. break makes phone or service lie; a good site refuses. explain tells why something failed.'

const contextOf = async (
  client: ControlClient,
  workspace: string,
  options: Parsed['options'],
): Promise<ToolContext> => {
  const own = client.workspace(workspace)
  const { addresses } = await own.call('overview')
  return {
    client: own,
    pageUrl: addresses.ui_url,
    readPicture,
    play: (source, stop) => play(client, scenariosIn(source, options['allow-exec'] === true), stop),
  }
}

const play = async (client: ControlClient, scenarios: readonly Scenario[], stop: AbortSignal) => {
  const played = []
  for (const scenario of scenarios) {
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

/** A web page may have put the file name or the text into the agent's prompt: steps must stay inside the bench. */
const scenariosIn = (source: ScenarioSource, mayExec: boolean): readonly Scenario[] => {
  const scenarios = 'yaml' in source ? scenariosInText(source.yaml) : scenariosInFile(source.file)
  const step = mayExec ? undefined : scenarios.map(findOutsideStep).find((one) => one !== undefined)
  if (step === undefined) return scenarios
  throw new ToolProblem(
    `Line ${step.line}: the step "${step.word}" starts a program, opens a page or calls an address. It is played only where handset mcp was started with --allow-exec.`,
  )
}

const scenariosInText = (yaml: string): readonly Scenario[] => {
  const read = parseScenarios(yaml)
  if (read.ok) return read.value
  throw new ToolProblem(`The scenario cannot be played: ${fileProblemText(read.error)}`)
}

/** Only files below the current folder can be read. */
const pathBelow = (file: string): string => {
  const folder = process.cwd()
  const path = resolve(folder, file)
  if (isInsideFolder(folder, path)) return path
  throw new ToolProblem(`${file} is outside ${folder}, where handset mcp was started.`)
}

const MAX_OCTETS = (LONGEST_PICTURE / 4) * 3

const readPicture = (file: string): Uint8Array => {
  const path = pathBelow(file)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) throw new ToolProblem(`There is no file ${file}.`)
  if (found.size > MAX_OCTETS)
    throw new ToolProblem(`${file} has ${found.size} bytes; a picture may have ${MAX_OCTETS}.`)
  return readFileSync(path)
}

/** Problems do not quote the file, since it may be any file. */
const scenariosInFile = (file: string): readonly Scenario[] => {
  const read = loadScenarios(pathBelow(file))
  if (read.ok) return read.value
  const { at, code } = read.error
  const place = at.find((one) => 'line' in one)
  throw new ToolProblem(
    place === undefined
      ? fileProblemText(read.error)
      : `${file}, line ${place.line}, column ${place.column}: ${code}. npx handset run ${file} says more.`,
  )
}
