import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, type Result } from '../core/protocol/result.ts'
import { makeFolder } from '../disk/data-directory.ts'
import { systemRefusal } from '../disk/system-refusal.ts'
import { type ExitCode, makeCommand, notDone } from './command.ts'
import { systemRefusalText } from './problem-texts.ts'
import { PROJECT_FILE } from './run/settings.ts'
import { writeWhole } from './write-whole.ts'

export const init = makeCommand(
  { name: 'init', usage: '', more: ['What is here already is left as it is.'] },
  async (_, environment): Promise<ExitCode> => {
    const { terminal } = environment
    for (const [file, text] of FILES) {
      if (existsSync(file)) {
        terminal.out(`  is here already  ${file}`)
        continue
      }
      const written = writeIntoFolder(file, text)
      if (!written.ok) return notDone(environment, 'init', written.error)
      terminal.out(`  written          ${file}`)
    }
    terminal.out('\nNow play it: npx handset run')
    return 0
  },
)

const writeIntoFolder = (file: string, text: string): Result<null, string> => {
  try {
    makeFolder(dirname(file), FOR_ALL)
  } catch (reason) {
    const problem = systemRefusal(reason)
    if (problem === undefined) throw reason
    return err(systemRefusalText(problem))
  }
  return writeWhole(file, text)
}

/** Mode of new folders, which the user's umask limits. */
const FOR_ALL = 0o777

const CONFIG = `# yaml-language-server: $schema=node_modules/handset/docs/config.schema.json
# What npx handset run does where neither an option nor a variable says it. Handset's docs/using/configuration.md has every key.
run:
  paths: [scenarios]
  parallel: 2
  retries: 0
  report: [html, junit]
`

const SCENARIO = `# yaml-language-server: $schema=../node_modules/handset/docs/scenario.schema.json
name: Alice registers, signs in by QR code and by push, and once says no
tags: [sign-in]

phones:
  alice: { name: Alice’s phone, account: { name: Alice Chen, phone: '13812345678' } }

steps:
  - register: { user_id: u-1, username: alice }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }

  - sign_in: { user_id: u-1, username: alice, method: qrcode }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success, user_id: u-1 }

  - sign_in: { user_id: u-1, username: alice, method: push }
  - open: { phone: alice }
  - reject: { phone: alice }
  - expect: { status: fail, error: user_rejected }
`

const WORKFLOW = `name: Handset
on: [push, pull_request]
permissions:
  contents: read
jobs:
  sign-in:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24 }
      - run: npm ci
      - run: npx --no handset run --report html,junit,github
      - if: failure()
        uses: actions/upload-artifact@v4
        with: { name: handset-results, path: handset-results }
`

const FILES: readonly (readonly [string, string])[] = [
  [PROJECT_FILE, CONFIG],
  ['scenarios/sign-in.yaml', SCENARIO],
  ['.github/workflows/handset.yml', WORKFLOW],
]
