import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** The variable that a program and all that it starts inherit. */
export const MARK = 'SCENARIO_PROGRAM'

/** How long a program has to end by itself. */
const GRACE_MS = 3000

/** Waits until its input ends, then ends the group $0 and, where the system shows it, what has the mark $1. */
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
 * Ends a program with its children when this one is gone, also when it is killed: the system then closes what the shell
 * reads from. Returns how the watch ends.
 */
export const watchProcesses = ({ pid, mark }: Pick<Ending, 'pid' | 'mark'>): (() => void) => {
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

/** Ends a program with its children: kindly, then not. */
export const endProcesses = async ({ pid, mark, exited }: Ending): Promise<void> => {
  if (process.platform === 'win32') {
    await promisify(execFile)('taskkill', ['/pid', String(pid), '/T', '/F']).catch(() => undefined)
    await exited
    return
  }
  const signalAll = (name: NodeJS.Signals): void => {
    for (const each of leftOver(pid, mark)) signal(each, name)
  }
  /** False: the time is over, and some are still there. */
  const areGoneWithin = async (ms: number, meanwhile: () => void = () => undefined): Promise<boolean> => {
    const end = setTimeout(ms, 'late', { ref: false })
    while (leftOver(pid, mark).length > 0) {
      meanwhile()
      if ((await Promise.race([end, setTimeout(20)])) === 'late') return false
    }
    return true
  }
  signalAll('SIGTERM')
  // One that starts others while it is ended may have started another since they were listed.
  if (!(await areGoneWithin(GRACE_MS))) await areGoneWithin(GRACE_MS, () => signalAll('SIGKILL'))
  await exited
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

/**
 * The processes of the group, and those that left it: they are known by a variable that they inherited, where the system
 * shows it. What has ended and was not asked after by its parent does not count.
 */
const leftOver = (group: number, mark: string): readonly number[] => {
  if (process.platform !== 'linux') return groupExists(group) ? [-group] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && belongs(name, group, mark))
    .map(Number)
}

const groupExists = (group: number): boolean => {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
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
