import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One fenced block of a page. Its info string is the whole convention:
 * `sh` runs, in the order of the page and in one shell; `yaml desk.yaml` is a file for its commands; `json output` is what
 * the block before it prints; `json phones.create` is the body of that route. Anything else needs a line in not-run.ts.
 * `sh start` in README starts the service for every page that links to it.
 */
export type Block = {
  readonly page: string
  /** Of its first line of text. */
  readonly line: number
  readonly language: string
  /** The second word of the info string; empty when there is none. */
  readonly role: string
  readonly text: string
}

const root = join(import.meta.dirname, '../..')

/** README, the other pages at the root, docs/, and the clients' READMEs, by their paths in the project. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'clients')).map((name) => `clients/${name}/README.md`),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
].toSorted()

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8')

/** CommonMark 0.31 section 4.5, as far as these pages use it: backticks, no indentation. */
export const blocksOf = (page: string, markdown: string): readonly Block[] => {
  const blocks: Block[] = []
  let open: { readonly fence: string; readonly words: readonly string[]; readonly from: number } | undefined
  const lines = markdown.split('\n')
  for (const [i, line] of lines.entries()) {
    if (/^[ \t>]+```/.test(line) && open === undefined) {
      throw new Error(`${page}:${i + 1}: a block must begin at the start of its line.`)
    }
    const [, fence, info = ''] = /^(`{3,})(.*)$/.exec(line) ?? []
    if (fence === undefined) continue
    if (open === undefined) {
      open = { fence, words: info.trim().split(/\s+/), from: i + 1 }
    } else if (fence.length >= open.fence.length && info.trim() === '') {
      const [language = '', role = ''] = open.words
      blocks.push({ page, line: open.from + 1, language, role, text: `${lines.slice(open.from, i).join('\n')}\n` })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.from}: this block is not closed.`)
  return blocks
}

export const allBlocks: readonly Block[] = pages.flatMap((page) => blocksOf(page, readPage(page)))
