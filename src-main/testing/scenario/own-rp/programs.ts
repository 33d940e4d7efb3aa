import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { ProgramEnd } from '../../../core/contract/scenario/problems.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { isBelow } from '../is-below.ts'
import { failure, type StepFailure } from '../step-outcome.ts'

import { endProcesses, MARK, watchProcesses } from './processes.ts'

/** A program that a scenario started. */
export type Program = {
  readonly name: string
  readonly output: Output
  /** How it ended; undefined while it runs. */
  ended(): ProgramEnd | undefined
  /** Ends it with all that it started. */
  end(): Promise<void>
}

export type Programs = {
  readonly running: ReadonlyMap<string, Program>
  /** How much each has written by now. */
  lengths(): ReadonlyMap<string, number>
  /** Instead of the one that has its name. */
  start(input: StepInput<'exec'>): Promise<Result<Program, StepFailure>>
  /** The one of this name, if there is one. */
  end(name: string): Promise<void>
  close(): Promise<void>
}

/** Variables of this program's own do not reach a program under test. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HANDSET_')))

export const createPrograms = (folder: string): Programs => {
  const running = new Map<string, Program>()
  const end = async (name: string): Promise<void> => running.get(name)?.end()
  return {
    end,
    running,
    lengths: () => new Map([...running].map(([name, { output }]) => [name, output.length()])),
    start: async (input) => {
      const { as: name = 'program' } = input
      await end(name)
      const started = await startProgram(folder, name, input)
      if (started.ok) running.set(name, started.value)
      return started
    },
    close: async () => void (await Promise.all([...running.values()].map((program) => program.end()))),
  }
}

let started = 0

const startProgram = async (
  folder: string,
  name: string,
  { program, args = [], env = {}, cwd = '.' }: StepInput<'exec'>,
): Promise<Result<Program, StepFailure>> => {
  const directory = resolve(folder, cwd)
  if (directory !== resolve(folder) && !isBelow(folder, directory)) {
    return err(failure({ code: 'outside_folder', params: { path: cwd } }))
  }
  if (!existsSync(directory)) return err(failure({ code: 'no_folder', params: { path: directory } }))
  // Each worker thread of a parallel run counts for itself.
  const mark = `${process.pid}-${threadId}-${++started}`
  const file = program.includes('/') || program.includes(sep) ? resolve(directory, program) : program
  const child = spawn(file, [...args], {
    cwd: directory,
    env: {
      ...inherited(),
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, String(value)])),
      [MARK]: mark,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what it starts ends with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const problem = await beginning(child)
  if (problem !== undefined) return err(failure({ code: 'no_program', params: { program, error: problem } }))
  return ok(runningProgram(name, child, mark))
}

const beginning = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolveWith) => {
    child.once('spawn', () => resolveWith(undefined))
    child.once('error', (error) => resolveWith(error.message))
  })

const runningProgram = (name: string, child: ChildProcess, mark: string): Program => {
  const output = createOutput()
  child.stdout?.on('data', output.add)
  child.stderr?.on('data', output.add)
  let how: ProgramEnd | undefined
  const exited = new Promise<void>((resolveWith) => {
    child.once('exit', (code, signal) => {
      how = code === null ? { signal: String(signal) } : { exit_code: code }
      resolveWith()
    })
  })
  const unwatch = watchProcesses({ pid: child.pid ?? 0, mark })
  let ending: Promise<void> | undefined
  const end = async (): Promise<void> => {
    await endProcesses({ pid: child.pid ?? 0, mark, exited })
    unwatch()
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  return {
    name,
    output,
    ended: () => how,
    end: () => {
      ending ??= end()
      return ending
    },
  }
}

/** What a program has written; of much, the last part. */
export type Output = {
  add(chunk: Buffer): void
  /** How many characters there were in all. */
  length(): number
  /** What was written after so many characters, as far as it is kept. */
  since(length: number): string
}

const MOST_CHARACTERS = 64 * 1024

export const createOutput = (): Output => {
  let kept = ''
  let length = 0
  const decoder = new TextDecoder()
  return {
    add: (chunk) => {
      const text = decoder.decode(chunk, { stream: true })
      length += text.length
      kept = (kept + text).slice(-MOST_CHARACTERS)
    },
    length: () => length,
    since: (from) => kept.slice(Math.max(0, kept.length - (length - from))),
  }
}
