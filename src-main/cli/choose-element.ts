import type { PageElement } from '../testing/suite/learn/page-elements.ts'
import type { Environment } from './command.ts'

/** Asks the person at the terminal which element leads to the goal. Without a terminal, takes the likeliest. */
export const chooseBy =
  ({ terminal, ask }: Pick<Environment, 'terminal' | 'ask'>) =>
  async (goal: string, among: readonly PageElement[]): Promise<PageElement | undefined> => {
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
