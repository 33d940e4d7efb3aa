import { shellWord } from '../../core/protocol/shell-word.ts'
import { SECRET_KEY } from './languages.ts'

export const signingLine = ({ key, url }: { readonly key: string; readonly url: string }): string =>
  [
    `HANDSET_ACCESS_KEY=${/^[\w-]+$/.test(key) ? `"${key}:` : `${shellWord(key)}":`}$${SECRET_KEY}" npx handset sign GET ${shellWord(url)}`,
    '--curl | sh',
  ].join(' \\\n  ')
