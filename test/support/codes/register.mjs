import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { moduleInCodes } from './in-codes.mjs'

// For the processes that a test starts: `node --import` this.
registerHooks({
  load(url, context, nextLoad) {
    const source = url.startsWith('file:') && url.endsWith('.ts') ? readFileSync(fileURLToPath(url), 'utf8') : ''
    const coded = moduleInCodes(url, source)
    return coded === undefined
      ? nextLoad(url, context)
      : { format: 'module-typescript', source: coded, shortCircuit: true }
  },
})
