import { shellWord } from '../../src-main/protocol/shell-word.ts'

/** What a server must know of the service and of its RP. */
export type Environment = {
  readonly baseUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  readonly rpId: string
  readonly origin: string
}

/** For a shell, and for files that name variables the same way. */
export const environmentText = ({ baseUrl, accessKeyId, secretKey, rpId, origin }: Environment): string =>
  Object.entries({
    BASE_URL: baseUrl,
    ACCESS_KEY_ID: accessKeyId,
    SECRET_KEY: secretKey,
    RP_ID: rpId,
    ORIGIN: origin,
  })
    .map(([name, value]) => `export ${name}=${shellWord(value)}`)
    .join('\n')
