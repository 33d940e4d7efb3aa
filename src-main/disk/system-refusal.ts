import type { SystemRefusal } from '../core/contract/start-problems.ts'

/** An error of SQLite or the operating system; undefined for any other, which is a bug. */
export const toSystemRefusal = (reason: unknown): SystemRefusal | undefined => {
  if (!(reason instanceof Error) || !('code' in reason)) return undefined
  const { message } = reason
  const errno = String(reason.code)
  if (errno.startsWith('SQLITE_')) return { code: 'database_says', params: { message } }
  if (!('syscall' in reason)) return undefined
  const file = 'dest' in reason ? reason.dest : 'path' in reason ? reason.path : undefined
  return { code: 'file_refused', params: { ...(file === undefined ? {} : { file: String(file) }), errno, message } }
}
