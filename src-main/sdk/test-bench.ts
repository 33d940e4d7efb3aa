import { readFileSync } from 'node:fs'
import { HandsetError } from './errors.ts'
import { connectHandset, type Handset, type StartOptions, startHandset } from './handset.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The bench of HANDSET_CONTROL_URL, HANDSET_TOKEN and, where it speaks https, HANDSET_CA, which all workers share; else one of its own. */
export const benchForTests = (env: Variables, options: StartOptions = {}): Promise<Handset> => {
  const controlUrl = env.HANDSET_CONTROL_URL
  return controlUrl === undefined
    ? startHandset(options)
    : connectHandset({ controlUrl, token: tokenIn(env), ca: caIn(env) })
}

const caIn = ({ HANDSET_CA }: Variables): string | undefined =>
  HANDSET_CA === undefined ? undefined : readFileSync(HANDSET_CA, 'utf8')

const tokenIn = ({ HANDSET_TOKEN, HANDSET_TOKEN_FILE }: Variables): string => {
  const token =
    HANDSET_TOKEN_FILE === undefined ? HANDSET_TOKEN : readFileSync(HANDSET_TOKEN_FILE, 'utf8').replace(/\r?\n$/, '')
  if (token !== undefined && token !== '') return token
  throw new HandsetError({
    code: 'no_token',
    error: 'HANDSET_CONTROL_URL names a bench: give its token in HANDSET_TOKEN or HANDSET_TOKEN_FILE.',
  })
}
