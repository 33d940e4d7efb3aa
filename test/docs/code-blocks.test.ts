import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { routes } from '../../src-main/contract/control/routes.ts'
import type { Route } from '../../src-main/contract/route.ts'
import { findProblem } from '../../src-main/contract/validate.ts'
import { isLong } from '../support/parts.ts'
import { allBlocks, type Block, readPage } from './code-blocks.ts'
import { notRun } from './not-run.ts'
import { fileNameOf, isCommand, runPage } from './run-page.ts'
import { outputDifference } from './same-structure.ts'

const nameOf = ({ page, line }: Block): string => `${page}:${line}`
const reasonsFor = (block: Block): typeof notRun =>
  notRun.filter(({ page, begins }) => page === block.page && block.text.startsWith(begins))

const withoutIndentation = (text: string): string => text.replaceAll(/^ +/gm, '')

const isOutput = ({ role }: Block): boolean => role === 'output'
/** Between the marks of a part that `npm run docs` makes. */
const isMade = ({ role }: Block): boolean => role === 'made'
const bodyOf = ({ language, role }: Block): object | undefined => {
  const route = Object.entries<Route>(routes).find(([id]) => id === role)?.[1]
  return language === 'json' ? route?.body : undefined
}

const blocks = allBlocks.filter((block) => reasonsFor(block).length === 0)
const byPage = [...Map.groupBy(blocks, ({ page }) => page)]
/** What a newcomer follows word by word: `npm test` runs these pages, `npm test -- long` the others. */
const FIRST_PAGES: readonly string[] = ['README.md', 'docs/first-five-minutes.md', 'docs/using/control.md']
const start = blocks.filter(({ role }) => role === 'start')

test('every block of README and docs is run, checked, or listed with the reason why not', () => {
  const kinds = [isCommand, isOutput, isMade, bodyOf, fileNameOf]
  expect(blocks.filter((block) => !kinds.some((kind) => kind(block))).map(nameOf)).toEqual([])
})

test('every reason for not running a block belongs to one block', () => {
  const idle = notRun.filter((row) => allBlocks.filter((block) => reasonsFor(block).includes(row)).length !== 1)
  expect(idle).toEqual([])
})

test('what README shows of a test stands in the page of which it is run', () => {
  const shown = allBlocks.filter(({ page, language }) => page === 'README.md' && language === 'ts')
  expect(shown).toHaveLength(1)
  const run = withoutIndentation(readPage('docs/using/test-fixtures.md'))
  for (const { text } of shown) expect(run).toContain(withoutIndentation(text))
})

test('a command of its page names every file of a page', () => {
  const unused = byPage.flatMap(([, own]) => {
    const commands = own.filter(({ language }) => language === 'sh').map(({ text }) => text)
    return own.filter((block) => {
      const name = fileNameOf(block)
      return name !== undefined && !isCommand(block) && !commands.some((text) => text.includes(name))
    })
  })
  expect(unused.map(nameOf)).toEqual([])
})

/** The commands of the pages need a POSIX shell and curl. */
const canRun = process.platform !== 'win32' && spawnSync('curl', ['--version']).status === 0

test
  .skipIf(!canRun)
  .concurrent.each(byPage.filter(([page, own]) => own.some(isCommand) && FIRST_PAGES.includes(page) !== isLong))(
  'the commands of %s do what the page says',
  async (page, own) => {
    const started = page !== 'README.md' && readPage(page).includes('README.md#in-a-ci') ? start : []
    const { printed, exitCode, stderr } = await runPage([...started, ...own])
    const [last, output = ''] = [...printed].at(-1) ?? []
    expect(exitCode, `${last === undefined ? page : nameOf(last)}\n${output}${stderr}`).toBe(0)
    const differences = own.filter(isOutput).map((block) => {
      const command = own.slice(0, own.indexOf(block)).findLast(isCommand)
      const difference = outputDifference(block, (command && printed.get(command)) ?? '')
      return difference === undefined ? [] : [`${nameOf(block)} ${difference}`]
    })
    expect(differences.flat()).toEqual([])
  },
)

test.each(blocks.filter((block) => bodyOf(block) !== undefined))('$page:$line is a body of $role', (block) => {
  expect(findProblem(JSON.parse(block.text), bodyOf(block) ?? {})).toBe(undefined)
})
