import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, codes, table } from '../../docs/markdown.ts'
import type { SourceCalls } from './calls-in-source.ts'

export const CALLS_PAGE = join(import.meta.dirname, '../../..', 'docs/desktop-calls.md')

const DECISION = 'docs/decisions/0020-run-the-shell-in-a-stand-in.md'

/** A call to Electron, the files that make it, and the test that executes it. */
export type CallRow = { readonly call: string; readonly files: readonly string[]; readonly test: string }

export const callsPage = (rows: readonly CallRow[]): string => `\
<!-- Made by \`node test/shell/stand-in/write-calls.ts\`, which runs the built program; edit nothing here. -->
# The desktop program's calls to Electron

Every call that TypeScript's checker finds in the shell, and the test that executes it in
[the stand-in](${DECISION.replace('docs/', '')}). \`→ handler\` is the function that the shell hands over with the call: it
counts when it runs. A call that no test executes fails \`npm test\`, as does a test that no longer executes its calls.

${table(
  ['call', 'made in', 'executed by the test'],
  rows.map(({ call, files, test }) => [code(call), codes(files), test]),
)}
`

export const readCallsPage = (): readonly CallRow[] =>
  readFileSync(CALLS_PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, call, files, test] = /^\| `(.+?)` \| (.+?) \| (.+?) \|$/.exec(line) ?? []
      if (call === undefined || files === undefined || test === undefined) return []
      return [{ call, files: [...files.matchAll(/`(.+?)`/g)].map(([, file = '']) => file), test }]
    })

export const madeIn = (calls: SourceCalls): readonly Pick<CallRow, 'call' | 'files'>[] =>
  [...calls].map(([call, files]) => ({ call, files: [...files].sort() })).sort((a, b) => (a.call < b.call ? -1 : 1))
