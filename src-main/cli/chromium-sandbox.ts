import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Settings of the kernel with which a program that is not known to the system gets no namespaces of its own. */
const RESTRICTED = [
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['user/max_user_namespaces', '0'],
] as const

type System = { readonly platform: NodeJS.Platform; readonly settings?: string }

/** Whether Electron's Chromium can have its sandbox: by namespaces, or by a helper that belongs to root. */
export const canSandbox = (program: string, { platform, settings = '/proc/sys' }: System): boolean =>
  platform !== 'linux' ||
  !RESTRICTED.some(([name, value]) => readSetting(join(settings, name)) === value) ||
  isRootsHelper(join(dirname(program), 'chrome-sandbox'))

const readSetting = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

const isRootsHelper = (file: string): boolean => {
  try {
    const { uid, mode } = statSync(file)
    return uid === 0 && (mode & 0o4111) === 0o4111
  } catch {
    return false
  }
}
