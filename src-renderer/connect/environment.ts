import { shellWord } from '../../src-main/core/protocol/shell-word.ts'

/** What a server must know of the service and of its RP. */
export type Environment = {
  readonly baseUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  readonly rpId: string
  readonly origin: string
}

export const SHELLS = ['bash', 'PowerShell'] as const

export type Shell = (typeof SHELLS)[number]

const LINES: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  // Files that name variables read it the same way.
  bash: (name, value) => `export ${name}=${shellWord(value)}`,
  // To PowerShell a typographic quote is a quote, too.
  PowerShell: (name, value) => `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
}

export const environmentText = (
  { baseUrl, accessKeyId, secretKey, rpId, origin }: Environment,
  shell: Shell = 'bash',
): string =>
  Object.entries({
    BASE_URL: baseUrl,
    ACCESS_KEY_ID: accessKeyId,
    SECRET_KEY: secretKey,
    RP_ID: rpId,
    ORIGIN: origin,
  })
    .map(([name, value]) => LINES[shell](name, value))
    .join('\n')
