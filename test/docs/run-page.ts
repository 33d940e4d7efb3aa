import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Block } from './code-blocks.ts'

const root = join(import.meta.dirname, '../..')

/** Further than any page needs on a busy machine: a command that never ends must fail its page. */
export const LONGEST_MS = 170_000

/** How a file of a page is run where its block stands; the commands of the page name the others. */
const RUNNERS: Readonly<Record<string, string>> = { mjs: 'node', ts: 'node', py: 'python3' }

const isScenario = ({ language, role }: Block): boolean => language === 'yaml' && role === ''

export const fileNameOf = (block: Block): string | undefined =>
  isScenario(block)
    ? `line-${block.line}.yaml`
    : /\.(mjs|ts|py|yaml|txt)$|^[a-z-]+\.json$/.test(block.role)
      ? block.role
      : undefined

const commandOf = (block: Block): string | undefined => {
  if (block.language === 'sh') return block.text
  const runner = isScenario(block) ? 'handset run' : RUNNERS[fileNameOf(block)?.split('.').at(-1) ?? '']
  return runner === undefined ? undefined : `${runner} ${fileNameOf(block)}`
}

export const isCommand = (block: Block): boolean => commandOf(block) !== undefined

export type PageRun = {
  /** What each command printed on stdout; the one that failed is the last. */
  readonly printed: ReadonlyMap<Block, string>
  readonly exitCode: number | null
  readonly stderr: string
}

/**
 * Runs the commands of a page from top to bottom in one `sh -eu`, in an empty folder that holds the page's files, with
 * `handset` and `npx handset` on the path. What they started is ended with them.
 */
export const runPage = async (blocks: readonly Block[]): Promise<PageRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'handset-docs-'))
  try {
    for (const block of blocks) {
      const name = fileNameOf(block)
      if (name !== undefined) writeFileSync(join(folder, name), block.text)
    }
    // Pages import the SDK by its name.
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/handset'), 'junction')
    // And run what lies in the folder of their own.
    symlinkSync(join(root, 'docs'), join(folder, 'docs'), 'junction')
    const commands = blocks.filter(isCommand)
    const script = commands.map((block, i) => `printf '\\036${i}\\n'\n${commandOf(block)}`).join('\n')
    const child = spawn('sh', ['-eu', '-c', script], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: [makeBin(folder), process.env.PATH].join(delimiter), NO_COLOR: '1' },
    })
    const endGroup = (): void => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // Nothing of it is left.
      }
    }
    const limit = setTimeout(endGroup, LONGEST_MS)
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const exitCode = await exited
    clearTimeout(limit)
    endGroup()
    const [stdout, stderr] = await output
    const parts = stdout.split('\x1e').slice(1)
    const printed = parts.flatMap((part, i) => {
      const block = commands[i]
      return block === undefined ? [] : ([[block, part.slice(part.indexOf('\n') + 1)]] as const)
    })
    return { printed: new Map(printed), exitCode, stderr }
  } finally {
    // What was killed may take a moment to go.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** `npx` fetches what it does not find, so here it is only a word before a command. */
const makeBin = (folder: string): string => {
  const bin = join(folder, '.bin')
  mkdirSync(bin)
  const put = (name: string, command: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${command}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  put('npx', '"$@"')
  put('handset', `"${process.execPath}" "${join(root, 'src-main/bin.mjs')}" "$@"`)
  put('node', `"${process.execPath}" "$@"`)
  return bin
}
