import { shellWord } from '../../core/protocol/shell-word.ts'
import { SECRET_KEY } from './languages.ts'

type Line = {
  readonly key: string
  readonly method: string
  readonly url: string
  readonly options?: readonly string[]
}

export const signingLine = ({ key, method, url, options = [] }: Line): string =>
  [
    `HANDSET_ACCESS_KEY=${/^[\w-]+$/.test(key) ? `"${key}:` : `${shellWord(key)}":`}$${SECRET_KEY}" npx handset sign ${shellWord(method)} ${shellWord(url)}`,
    ...options,
    '--curl | sh',
  ].join(' \\\n  ')
