import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { WebauthnServer } from '../../core/contract/webauthn-server.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { ok } from '../../core/protocol/result.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import type { Finding } from '../../testing/check/finding.ts'
import { WEBAUTHN_CASES } from '../../testing/check/webauthn/cases.ts'
import { learnServer } from '../../testing/check/webauthn/learn/visit.ts'
import { checkWebauthn } from '../../testing/check/webauthn/run.ts'
import { writeDocument } from '../../testing/scenario/read-document.ts'
import type { Environment } from '../command.ts'
import { ifGiven, notDone } from '../command-end.ts'
import { readOptionFile } from '../in-file.ts'
import { learnByPage } from '../learn-by-page.ts'
import { checkPageUrl } from '../option-values.ts'
import { readWebauthnServer } from '../read-calls.ts'
import { schemaLine } from '../write-whole.ts'
import type { ParsedCheckOptions } from './outcome.ts'

const DEFAULT_FILE = 'webauthn.yaml'

/** Uses a running server's page in a browser, writes the page's calls to a file, and tries the file. */
export const initWebauthn = async ({ options, named }: ParsedCheckOptions, environment: Environment): Promise<0> => {
  const { terminal } = environment
  const { init: url = '', config: file = DEFAULT_FILE } = options
  checkPageUrl(url, named('init'))
  const random = createRandom().stream('check', 'check', 'check')
  const now = (): number => realClock.now()
  const ca = ifGiven(options.ca, (given) => readOptionFile(named('ca'), given, ok))
  const play = ({ ca: _, policies: __, ...target }: WebauthnServer) =>
    checkWebauthn({
      target: { ...target, ...withoutUndefined({ ca }) },
      cases: WEBAUTHN_CASES.filter(({ id }) => TRIED.includes(id)),
      ...{ policies: new Set(), parallel: 1, random, now, signal: environment.stop, onResult: () => undefined },
    })
  await learnByPage(
    {
      ...{ url, file, trusts: options.ca !== undefined },
      advice: async () => 'Write the file by hand: docs/using/webauthn-servers.md.',
      learn: async (guide) => {
        const all = await learnServer({ url, random, now, ...guide })
        let found = all
        if (passesAll(await play(all.config)))
          for (const call of all.doubtful.toReversed()) {
            const less = found.without(call)
            if (passesAll(await play(less.config))) found = less
          }
        if (environment.stop.aborted) notDone('stopped.')
        const { notes } = found
        const config = { ...found.config, ...(options.ca === undefined ? {} : { ca: resolve(options.ca) }) }
        writeFileSync(file, `${schemaLine(file, 'webauthn-server')}${FILE_HEADER}${writeDocument(config, notes)}`, {
          flag: 'wx',
        })
        for (const { path, text } of notes) terminal.out(`${path.join('.')}: ${text}`)
        terminal.out(`Wrote ${file}.`)
      },
    },
    environment,
  )
  const tried = await play(readOptionFile(named('config'), file, readWebauthnServer, notDone))
  for (const each of tried.filter(({ finding }) => finding.verdict !== 'passed'))
    terminal.out(`Tried it: ${each.case.name}: ${each.finding.verdict.toUpperCase()}, ${each.finding.text}`)
  if (!passesAll(tried)) notDone(`look at ${file} before you use it: docs/using/webauthn-servers.md.`)
  terminal.out('Tried it: a registration and a sign-in are accepted, and wrong answers are refused.')
  terminal.out(`Now play all cases: npx handset check --webauthn --config ${shellWord(file)}`)
  return 0
}

/** A WARNING counts too: the server refuses with an unexpected error, but the described calls work. */
const passesAll = (tried: readonly { readonly finding: Finding }[]): boolean =>
  tried.length === TRIED.length && tried.every(({ finding: { verdict } }) => /^(passed|warning)$/.test(verdict))

/** The cases that show whether the calls are right. */
const TRIED: readonly string[] = [
  ...['a-registration-and-a-sign-in-are-accepted', 'a-registration-with-challenge-wrong-is-refused'],
  ...['a-sign-in-with-challenge-wrong-is-refused'],
]

const FILE_HEADER = '# How handset check --webauthn calls this server: docs/using/webauthn-servers.md.\n'
