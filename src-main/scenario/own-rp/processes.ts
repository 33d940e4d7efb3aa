import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How long a program has to end by itself. */
const GRACE_MS = 3000

const WATCH = 'read _; kill -TERM -"$0" 2>/dev/null || exit 0; sleep 3; kill -KILL -"$0" 2>/dev/null'

/**
 * Ends the group when this program is gone, also when it is killed: the system then closes what the shell reads from.
 * Returns how the watch ends.
 */
export const watchProcesses = (group: number): (() => void) => {
  if (process.platform === 'win32') return () => undefined
  const watch: ChildProcess = spawn('sh', ['-c', WATCH, String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.on('error', () => undefined)
  watch.stdin?.on('error', () => undefined)
  watch.unref()
  return () => void watch.kill('SIGKILL')
}

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
  signalAll('SIGTERM')
  const end = setTimeout(GRACE_MS, 'late', { ref: false })
  while (leftOver(pid, mark).length > 0 && (await Promise.race([end, setTimeout(20)])) !== 'late');
  signalAll('SIGKILL')
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
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`SCENARIO_PROGRAM=${mark}`)
  } catch {
    return false
  }
}
