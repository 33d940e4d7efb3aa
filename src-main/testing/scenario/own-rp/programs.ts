import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import type { ProgramEnd } from '../../../core/contract/scenario/problems.ts'
import type { StepInput } from '../../../core/contract/scenario.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { isInsideFolder } from '../is-below.ts'
import { failure, type StepFailure } from '../step-outcome.ts'

/** A program that a scenario started. */
export type Program = ReturnType<typeof runningProgram>

export type Programs = ReturnType<typeof createPrograms>

/** A program under test inherits all variables except Handset's own. */
const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HANDSET_')))

export const createPrograms = (folder: string) => {
  const running = new Map<string, Program>()
  /** Ends the program of this name, if there is one. */
  const end = async (name: string): Promise<void> => running.get(name)?.end()
  return {
    end,
    running: running as ReadonlyMap<string, Program>,
    /** Length of each program's output so far. */
    lengths: () => new Map([...running].map(([name, { output }]) => [name, output.length()])),
    /** Replaces a program of the same name. */
    start: async (input: StepInput<'exec'>): Promise<Result<Program, StepFailure>> => {
      const { as: name = 'program' } = input
      await end(name)
      const started = await startProgram(folder, name, input)
      if (started.ok) running.set(name, started.value)
      return started
    },
    close: async (): Promise<void> => void (await Promise.all([...running.values()].map((program) => program.end()))),
  }
}

let started = 0

const startProgram = async (
  folder: string,
  name: string,
  { program, args = [], env = {}, cwd = '.' }: StepInput<'exec'>,
): Promise<Result<Program, StepFailure>> => {
  const directory = resolve(folder, cwd)
  if (directory !== resolve(folder) && !isInsideFolder(folder, directory)) {
    return err(failure({ code: 'outside_folder', params: { path: cwd } }))
  }
  if (!existsSync(directory)) return err(failure({ code: 'no_folder', params: { path: directory } }))
  // Each worker thread of a parallel run has its own counter.
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
    // A separate process group: its children end with it.
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

const runningProgram = (name: string, child: ChildProcess, mark: string) => {
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
    /** How it ended; undefined while it runs. */
    ended: () => how,
    /** Ends the program and everything it started. */
    end: (): Promise<void> => {
      ending ??= end()
      return ending
    },
  }
}

export type Output = ReturnType<typeof createOutput>

const MAX_CHARACTERS = 64 * 1024

/** The output of a program; if it is long, only its last part. */
export const createOutput = () => {
  let kept = ''
  let length = 0
  const decoder = new TextDecoder()
  return {
    add: (chunk: Buffer): void => {
      const text = decoder.decode(chunk, { stream: true })
      length += text.length
      kept = (kept + text).slice(-MAX_CHARACTERS)
    },
    /** Number of all characters, including those no longer kept. */
    length: () => length,
    /** The output after this many characters, as far as it is kept. */
    since: (from: number): string => kept.slice(Math.max(0, kept.length - (length - from))),
  }
}

/** The variable that a program and all that it starts inherit. */
const MARK = 'SCENARIO_PROGRAM'

/** Time for a program to end before it is killed. */
const GRACE_MS = 3000

/** Waits until its input ends, then ends the group $0 and, where the system shows them, processes with the mark $1. */
const WATCH = `read _
tell() {
  found=1
  kill -"$1" -"$0" 2>/dev/null && found=0
  for file in $(grep -lzx "$2" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill -"$1" "\${pid%/environ}" 2>/dev/null && found=0
  done
  return $found
}
tell TERM "$1" && sleep 3 && for again in 1 2 3; do tell KILL "$1" && sleep 1; done`

/**
 * Ends a program with its children when this process ends, even if it is killed: the system then closes the shell's
 * input. Returns a function that ends the watch.
 */
const watchProcesses = ({ pid, mark }: Pick<Ending, 'pid' | 'mark'>): (() => void) => {
  if (process.platform === 'win32') return () => undefined
  const watch: ChildProcess = spawn('sh', ['-c', WATCH, String(pid), variableOf(mark)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.on('error', () => undefined)
  watch.stdin?.on('error', () => undefined)
  watch.unref()
  return () => void watch.kill('SIGKILL')
}

const variableOf = (mark: string): string => `${MARK}=${mark}`

type Ending = { readonly pid: number; readonly mark: string; readonly exited: Promise<unknown> }

/** Ends a program with its children, by force if they do not end in time. */
const endProcesses = async ({ pid, mark, exited }: Ending): Promise<void> => {
  if (process.platform === 'win32') {
    await promisify(execFile)('taskkill', ['/pid', String(pid), '/T', '/F']).catch(() => undefined)
    await exited
    return
  }
  const signalAll = (name: NodeJS.Signals): void => {
    for (const each of leftOver(pid, mark)) signal(each, name)
  }
  /** False if some processes still run when the time is over. */
  const areGoneWithin = async (ms: number, meanwhile: () => void = () => undefined): Promise<boolean> => {
    const end = setTimeout(ms, 'late', { ref: false })
    while (leftOver(pid, mark).length > 0) {
      meanwhile()
      if ((await Promise.race([end, setTimeout(20)])) === 'late') return false
    }
    return true
  }
  signalAll('SIGTERM')
  // A process may have started another one since the processes were listed: signal repeatedly.
  if (!(await areGoneWithin(GRACE_MS))) await areGoneWithin(GRACE_MS, () => signalAll('SIGKILL'))
  await exited
}

/** False if the process has ended; 0 only asks. A negative number is a group. */
const signal = (pid: number, name: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/**
 * The processes of the group, and those that left it. The latter are found by a variable that they inherited, where
 * the system shows it. Zombies do not count.
 */
const leftOver = (group: number, mark: string): readonly number[] => {
  if (process.platform !== 'linux') return signal(-group, 0) ? [-group] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && belongs(name, group, mark))
    .map(Number)
}

const belongs = (pid: string, group: number, mark: string): boolean => {
  try {
    // proc_pid_stat(5): the command in parentheses, then state, parent and group.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return false
    if (Number(pgrp) === group) return true
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(variableOf(mark))
  } catch {
    return false
  }
}
