import type { StartProblem } from '../core/contract/start-problems.ts'
import { readRunningBench } from '../service/store/announce-bench.ts'
import { defaultDataDirectory, type Machine } from './machine.ts'

const TIMEOUT_MS = 1000

/** Whether it is a Handset that holds the port on which nothing could listen, and with which directory. */
export const namingHolder = async (problem: StartProblem, machine: Machine): Promise<StartProblem> => {
  if (problem.code !== 'cannot_listen' || problem.params.errno !== 'EADDRINUSE') return problem
  const { host, port } = problem.params
  const directory = defaultDataDirectory(machine)
  const running = readRunningBench(directory)
  if (running.ok && URL.parse(running.value?.control_url ?? '')?.port === String(port)) {
    return { code: 'port_of_handset', params: { port, directory } }
  }
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  const said = await fetch(at, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    .then((answer) => (answer.headers.get('content-length') === '3' ? answer.text() : ''))
    .catch(() => '')
  return said === 'ok\n' ? { code: 'port_of_handset', params: { port } } : problem
}
