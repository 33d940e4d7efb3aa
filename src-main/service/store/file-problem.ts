/** What the system refused, as a sentence; undefined for what is no refusal of the system's but a bug. */
export const fileProblem = (reason: unknown): string | undefined => {
  if (!(reason instanceof Error) || !('code' in reason)) return undefined
  const code = String(reason.code)
  if (code.startsWith('SQLITE_')) return `the database cannot be used: ${reason.message}.`
  if (!('syscall' in reason)) return undefined
  const file = 'dest' in reason ? String(reason.dest) : 'path' in reason ? String(reason.path) : 'a file in it'
  return Object.hasOwn(SENTENCES, code) ? `${file} ${SENTENCES[code]}.` : `${reason.message}.`
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'cannot be made there',
  EEXIST: 'is a file, where a folder should be',
  ENOTDIR: 'lies below a file, not a folder',
  EISDIR: 'is a folder, where a file should be',
  EACCES: 'is not open to this user',
  EPERM: 'is not open to this user',
  EROFS: 'cannot be written: the disk is read-only',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the user’s part of the disk is full',
  ENAMETOOLONG: 'has too long a name',
  ELOOP: 'is a link that leads to itself',
}
