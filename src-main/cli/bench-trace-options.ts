import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { TraceFileSettings } from '../bench/harness/trace-files.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { makeFolder } from '../disk/data-directory.ts'
import { serveOptions } from './options.ts'
import type { NameOption } from './read-options.ts'

type Given = { readonly trace?: string; readonly 'trace-limit'?: number }

const MIB = 1024 * 1024

export const parseTraceOptions = (
  options: Given,
  named: NameOption,
): Result<{ readonly traces?: TraceFileSettings }, string> => {
  const limit = options['trace-limit'] ?? serveOptions['trace-limit'].whole.usual
  if (options.trace === undefined) return ok({})
  const path = resolve(options.trace)
  const file = path.endsWith('.handset')
  if (file && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    return err(`${named('trace')}: ${path} is a folder; name a file that ends in .handset, or a folder that does not.`)
  }
  try {
    const folder = file ? dirname(path) : path
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    return err(`${named('trace')}: ${path} cannot be written: ${error instanceof Error ? error.message : error}.`)
  }
  return ok({ traces: { path, bytes: limit * MIB } })
}
