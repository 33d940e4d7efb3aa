import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const findRoot = (from: string): string => {
  if (existsSync(join(from, 'package.json'))) return from
  const above = dirname(from)
  if (above === from) throw new Error('package.json is missing')
  return findRoot(above)
}

export const versionAt = (root: string): string =>
  String((JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: unknown }).version)
