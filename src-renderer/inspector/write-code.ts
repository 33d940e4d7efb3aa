import java from '../../docs/interface/signing/Sign.java?raw'
import go from '../../docs/interface/signing/sign.go?raw'
import node from '../../docs/interface/signing/sign.mjs?raw'
import python from '../../docs/interface/signing/sign.py?raw'
import curl from '../../docs/interface/signing/sign.sh?raw'
import { exchangeCode } from '../../src-main/views/code/exchange-code.ts'
import type { CodeLanguage } from '../../src-main/views/code/languages.ts'
import type { Exchange } from './exchange-lines.ts'

/** Loaded on demand, because this module contains long programs. */
export const writeCode = (exchange: Exchange, language: CodeLanguage): string =>
  exchangeCode(exchange, {
    language,
    scheme: location.protocol === 'https:' ? 'https' : 'http',
    signers: { curl, node, python, java, go },
  })
