import { existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const hasLicence = (folder: string): boolean =>
  existsSync(folder) && readdirSync(folder).some((name) => /^(licen[cs]e|copying)/i.test(name))

/** The packages below node_modules that lost their licence on the way into the archive. */
export const lostLicences = ({ archive, source }: { readonly archive: string; readonly source: string }) =>
  globSync('node_modules/**/package.json', { cwd: archive })
    .map(dirname)
    .filter((folder) => hasLicence(join(source, folder)) && !hasLicence(join(archive, folder)))
    .map((folder) => folder.replaceAll('\\', '/'))
    .toSorted()

/** The packages whose code is inside, and whose notice is not: each begins with its name and version. */
export const missingNotices = (names: readonly string[], notices: string): readonly string[] => {
  const parts = notices.split(/^-{80}$/m).map((part) => part.trim())
  const told = (name: string): boolean =>
    parts.some((part) => part.startsWith(`${name} `) && part.split('\n').slice(1).join('').trim() !== '')
  return names.filter((name) => !told(name))
}
