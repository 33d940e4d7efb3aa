import { dirname } from 'node:path'
import { isServiceFaultName, SERVICE_FAULT_NAMES, type ServiceFaultName } from '../contract/service-faults.ts'
import { nearest } from '../protocol/nearest.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { createPrograms } from '../scenario/own-rp/programs.ts'
import { connectHandset, type Handset } from '../sdk/handset.ts'
import { httpDriver } from '../suite/http-driver.ts'
import { type Start, startRp } from '../suite/start-rp.ts'
import { walkFaults } from '../suite/walk.ts'
import { type Environment, type ExitCode, failed, makeCommand, misuse } from './command.ts'
import { inFile } from './in-file.ts'
import { suiteOptions } from './option-tables.ts'
import { findingsText, progressLine } from './suite/findings-text.ts'
import { openSuiteBench } from './suite/open-suite-bench.ts'
import { readRpSuite } from './suite/read-rp-suite.ts'

const STOPPED = 130
const DEFAULT_PARALLEL = 4
const DEFAULT_PATIENCE_S = 10

export const suite = makeCommand(
  {
    name: 'suite',
    usage: 'rp --config FILE [OPTIONS]',
    summary: 'Walks the faults of the service against your RP: which of them break it, and which let somebody in.',
    options: suiteOptions,
    more: [
      'handset run suite:rp is the same.',
      'Exit code 0: the RP held under every fault. 1: it did not. 2: something cannot be read. 3: the bench or the RP could not start, or a story does not work even without a fault. 130: ended by hand.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals, named } = parsed
    const [which, stranger] = positionals
    if (which !== 'rp' || stranger !== undefined)
      return misuse(environment, 'suite', 'name the suite: handset suite rp.')
    const { config: file } = options
    if (file === undefined) return misuse(environment, 'suite', 'it needs --config FILE: how the RP is spoken to.')
    const config = inFile(named('config'), file, readRpSuite)
    if (!config.ok) return misuse(environment, 'suite', config.error)
    const faults = faultsNamed(options.fault)
    if (!faults.ok) return misuse(environment, 'suite', `${named('fault')} ${faults.error}`)
    const bench = await openSuiteBench(parsed, environment)
    if (!bench.ok) return (bench.error.misused ? misuse : notStarted)(environment, 'suite', bench.error.problem)
    const programs = createPrograms(dirname(file))
    try {
      const workspace = await connectHandset(bench.value)
      const start: Start = async (program) => {
        const begun = await programs.start(program)
        return begun.ok ? begun : err(`the RP cannot be started: ${program.program}`)
      }
      const started = await startRp(config.value, { start, workspace, stop: environment.stop })
      if (!started.ok) return notStarted(environment, 'suite', started.error)
      return await walk(
        { workspace, config: config.value, faults: faults.value, json: options.json === true },
        environment,
      )
    } finally {
      await programs.close()
      await bench.value.close()
    }
  },
)

type Walk = {
  readonly workspace: Handset
  readonly config: Parameters<typeof httpDriver>[0]
  readonly faults: readonly ServiceFaultName[]
  readonly json: boolean
}

const walk = async ({ workspace, config, faults, json }: Walk, environment: Environment): Promise<ExitCode> => {
  const { terminal, stop } = environment
  let done = 0
  try {
    const findings = await walkFaults({
      workspace,
      driver: httpDriver(config, stop),
      faults,
      patienceMs: (config.patience_s ?? DEFAULT_PATIENCE_S) * 1000,
      parallel: config.parallel ?? DEFAULT_PARALLEL,
      prefix: `suite-${(await workspace.lastSeq()).toString(36)}`,
      userId: config.user_id,
      signal: stop,
      onFinding: (finding) => terminal.status?.(progressLine(finding, { done: ++done, of: faults.length }, terminal)),
    })
    terminal.status?.('')
    terminal.out(json ? JSON.stringify({ findings }) : findingsText(findings, terminal))
    if (findings.some(({ verdict }) => verdict === 'broke' || verdict === 'let_in')) return 1
    return findings.some(({ verdict }) => verdict === 'held') ? 0 : 3
  } catch (reason) {
    terminal.status?.('')
    if (!stop.aborted) throw reason
    failed(environment, 'suite', 'stopped before the end.')
    return STOPPED
  }
}

const faultsNamed = (names: readonly string[] | undefined): Result<readonly ServiceFaultName[], string> => {
  if (names === undefined || names.length === 0) return ok(SERVICE_FAULT_NAMES)
  const stranger = names.find((name) => !isServiceFaultName(name))
  if (stranger === undefined) return ok(names.filter(isServiceFaultName))
  const near = nearest(stranger, SERVICE_FAULT_NAMES)
  return err(`names no fault of the service: "${stranger}".${near === undefined ? '' : ` Did you mean ${near}?`}`)
}

const notStarted = (environment: Environment, command: string, problem: string): ExitCode => {
  failed(environment, command, problem)
  return 3
}
