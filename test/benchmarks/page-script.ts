import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export type ScriptFile = { readonly name: string; readonly bytes: number; readonly gzipped: number }

/** What the goal is: the scripts that the page needs before it can show anything, gzipped. */
export const INITIAL_SCRIPT_GOAL = 450_000

/**
 * The scripts that a browser loads for the page's first picture: those its HTML names, and what they import by
 * themselves. What is imported only when it is wanted does not count.
 */
export const initialScripts = (folder: string): readonly ScriptFile[] => {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(
    (match) => match[1] ?? '',
  )
  const files = new Map<string, ScriptFile>()
  const add = (path: string): void => {
    if (files.has(path)) return
    const bytes = readFileSync(join(folder, path))
    files.set(path, { name: path, bytes: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length })
    const imports = /(?:^|[;}\s])(?:import|export)(?:[\w*{}\s,$]*?from)?\s*["']\.\/([\w.-]+\.js)["']/g
    for (const [, next = ''] of bytes.toString('utf8').matchAll(imports)) add(join(path, '..', next))
  }
  for (const path of named) add(path)
  return [...files.values()]
}
