import { failed, makeCommand, misuse } from './command.ts'
import { QUIET } from './log.ts'
import { proxyOptions } from './option-tables/serving-options.ts'
import { startProblemText } from './problem-texts.ts'
import { wantedProxy } from './proxy-options.ts'
import { proxyLine, proxyText } from './proxy-ready.ts'
import { offerKeys } from './ready.ts'
import { launch, stopped, tellIfNoPage } from './serve.ts'

export const proxy = makeCommand(
  {
    name: 'proxy',
    usage: '--target URL [OPTIONS]',
    options: proxyOptions,
    more: [
      'Point your RP at the base_url it prints. What passes appears in the page like on a bench; faults and network conditions that are armed there strike the answers of the service.',
      'Without --access-key a request is passed on with the Host header that it came with, or its signature would no longer hold.',
      'Nothing is kept but what --trace writes, which has no secrets. Ctrl-C or SIGTERM ends it.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals } = parsed
    const [stranger] = positionals
    if (stranger !== undefined) return misuse(environment, 'proxy', `it takes no "${stranger}".`)
    const wanted = await wantedProxy(parsed)
    if (!wanted.ok) return misuse(environment, 'proxy', wanted.error)
    const bench = await launch(wanted.value, environment, QUIET)
    if (typeof bench === 'string') return failed(environment, 'proxy', bench)
    const { terminal } = environment
    terminal.out(
      options.json === true ? proxyLine(bench, wanted.value.forward) : proxyText(bench, wanted.value, environment),
    )
    tellIfNoPage(environment, 'proxy')
    if (options.json !== true) offerKeys(bench, environment)
    const lost = await Promise.race([stopped(environment.stop).then(() => undefined), bench.lost])
    await bench.close()
    return lost === undefined ? 0 : failed(environment, 'proxy', startProblemText(lost))
  },
)
