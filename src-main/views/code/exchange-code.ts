import type { ExchangeFact } from '../../core/contract/events.ts'
import { type Call, toCall } from './call.ts'
import { curlCode } from './curl.ts'
import { goCode } from './go.ts'
import { javaCode } from './java.ts'
import type { CodeLanguage } from './languages.ts'
import { nodeCode } from './node.ts'
import { pythonCode } from './python.ts'

/** Signers from docs/interface/signing, used to make code. */
export type Signers = Readonly<Record<CodeLanguage, string>>

const WRITERS = { curl: curlCode, node: nodeCode, python: pythonCode, java: javaCode, go: goCode }

type Wanted = { readonly language: CodeLanguage; readonly scheme?: Call['scheme']; readonly signers: Signers }

export const exchangeCode = (exchange: ExchangeFact, { language, scheme = 'http', signers }: Wanted): string => {
  return WRITERS[language](toCall(exchange, scheme), signers[language])
}
