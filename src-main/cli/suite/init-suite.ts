import { writeFileSync } from 'node:fs'
import type { RpSuite } from '../../core/contract/rp-suite.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { connectHandset } from '../../sdk/handset.ts'
import { writeDocument } from '../../testing/scenario/read-document.ts'
import { learnPage } from '../../testing/suite/learn/learn-page.ts'
import type { SuiteWindow } from '../../testing/suite/page-driver.ts'
import type { Environment } from '../command.ts'
import { learnByPage } from '../learn-by-page.ts'
import { schemaLine } from '../write-whole.ts'
import { type RpCalls, type SuiteBench, watchRpCalls } from './open-suite-bench.ts'

type Init = {
  readonly url: string
  readonly file: string
  readonly bench: SuiteBench
  /** The command that plays the file on the same bench, and the variables that it needs and that are not set. */
  readonly next: { readonly command: string; readonly unset: readonly string[] }
}

/** Opens a running RP, registers a user and signs them in, and writes the steps to a file. */
export const initSuite = ({ url, file, bench, next }: Init, environment: Environment): Promise<void> => {
  let calls: RpCalls | undefined
  return learnByPage(
    {
      ...{ url, file, trusts: true },
      advice: async () => (await calls?.problem()) ?? 'Write the file by hand: docs/using/service-faults.md.',
      learn: async ({ newWindow, ...guide }) => {
        const workspace = await connectHandset(bench)
        calls = await watchRpCalls(workspace)
        const opened = async () => (await newWindow()) as unknown as SuiteWindow
        const page = await learnPage({ url, workspace, newWindow: opened, ...guide })
        const { origin, pathname } = new URL(url)
        const path = pathname === '/' ? undefined : pathname
        const config: RpSuite = { url: origin, user_id: '{name}', page: { ...withoutUndefined({ path }), ...page } }
        writeFileSync(file, `${schemaLine(file, 'rp-suite')}${FILE_HEADER}${writeDocument(config)}`, { flag: 'wx' })
        const first = next.unset.map((variable) => ` Set ${variable} to the same value.`).join('')
        environment.terminal.out(`Wrote ${file}.${first} Try it: ${next.command}`)
      },
    },
    environment,
  )
}

const FILE_HEADER = `# How handset suite rp uses this RP: docs/using/service-faults.md. The RP must run, with the key of the bench,
# or say under "start" how it is started.
`
