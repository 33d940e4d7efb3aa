import { readFileSync } from 'node:fs'
import { sdkError } from './errors.ts'
import { connectHandset, type Handset, type StartOptions, startHandset } from './handset.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The bench of HANDSET_CONTROL_URL, HANDSET_TOKEN and, for https, HANDSET_CA, for all workers; else a new one. */
export const benchForTests = async (env: Variables, options: StartOptions = {}): Promise<Handset> => {
  const controlUrl = variableIn(env, 'HANDSET_CONTROL_URL')
  if (controlUrl === undefined) return startHandset(options)
  return connectHandset({ controlUrl, token: tokenIn(env), ca: inFile(env, 'HANDSET_CA') })
}

/** As for the command line, an empty variable is not set. */
const variableIn = (env: Variables, name: string): string | undefined => env[name] || undefined

const tokenIn = (env: Variables): string => {
  const token = inFile(env, 'HANDSET_TOKEN_FILE')?.replace(/\r?\n$/, '') ?? variableIn(env, 'HANDSET_TOKEN')
  if (token !== undefined) return token
  const wanted = 'give its token in HANDSET_TOKEN or HANDSET_TOKEN_FILE.'
  throw sdkError('no_token', `HANDSET_CONTROL_URL names a bench: ${wanted}`)
}

/** The content of the file that a variable names. */
const inFile = (env: Variables, name: string): string | undefined => {
  const path = variableIn(env, name)
  if (path === undefined) return undefined
  const text = readNamed(name, path)
  if (text.trim() === '') throw sdkError('unreadable_file', `${name}: ${path} is empty.`)
  return text
}

const readNamed = (name: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (reason) {
    const { code, message } = reason as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? `there is no file ${path}.` : `${path} cannot be read: ${message}.`
    throw sdkError('unreadable_file', `${name}: ${why}`)
  }
}
