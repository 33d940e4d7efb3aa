import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { problemTexts } from '../core/contract/scenario/problems.ts'
import { firstErrorLine } from '../core/protocol/message-of.ts'
import { createBrowsing } from '../testing/scenario/own-rp/playwright.ts'
import { type Guide, NotLearned } from '../testing/suite/learn/page-elements.ts'
import type { Environment } from './command.ts'
import { CommandEnd, notDone } from './command-end.ts'

type Learning = {
  readonly url: string
  /** Must not exist yet. */
  readonly file: string
  /** Accepts any certificate. */
  readonly trusts: boolean
  /** Learns and writes the file. */
  readonly learn: (guide: Guide) => Promise<void>
  /** What the user can do after a failure: the end of the error message. */
  readonly advice: () => Promise<string>
}

/** Learns in a browser how a page is used. */
export const learnByPage = async (
  { url, file, trusts, learn, advice }: Learning,
  environment: Environment,
): Promise<void> => {
  if (existsSync(file)) notDone(`${file} is there already. Name another with --config.`)
  const browsing = createBrowsing(resolve(dirname(file)))
  const newWindow: Guide['newWindow'] = async () => {
    const opened = await browsing.fresh({ trusts })
    if (opened.ok) return opened.value
    const { expected, received } = problemTexts(opened.error.problem)
    throw new NotLearned(`it needs ${expected}: ${received}.`)
  }
  try {
    await learn({ newWindow, print: environment.terminal.out, choose: chooseBy(environment) })
  } catch (error) {
    if (environment.stop.aborted) notDone('stopped.')
    if (!(error instanceof Error) || error instanceof CommandEnd) throw error
    const why = error instanceof NotLearned ? error.message : firstErrorLine(error)
    notDone(`${url} could not be learned: ${why} ${await advice()}`)
  } finally {
    await browsing.close()
  }
}

/** Asks the person at the terminal which element leads to the goal. Without a terminal, takes the likeliest. */
const chooseBy =
  ({ terminal, ask }: Environment): Guide['choose'] =>
  async (goal, among) => {
    const [first] = among
    if (first === undefined || among.length === 1 || ask === undefined) {
      if (first !== undefined)
        terminal.out(`${goal}: pressing ${first.role} "${first.name}"${among.length > 1 ? ', the likeliest' : ''}`)
      return first
    }
    terminal.out(`Which one leads to "${goal}"?`)
    for (const [at, { role, name }] of among.entries()) terminal.out(`  ${at + 1}  ${role} "${name}"`)
    const answer = Number((await ask(`Number [1]: `)).trim() || '1')
    return among[answer - 1] ?? first
  }
