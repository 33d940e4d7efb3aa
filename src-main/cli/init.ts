import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../disk/data-directory.ts'
import { makeCommand } from './command.ts'
import { needed, notDone } from './command-end.ts'
import { findUpwards, PROJECT_FILE } from './find-project-file.ts'
import { attempt } from './problem-texts.ts'
import { writeWholeFile } from './write-whole.ts'

export const init = makeCommand(
  { name: 'init', usage: '[OPTIONS]', more: ['What is here already is left as it is.'] },
  async ({ options }, { terminal }) => {
    const [files, next] = options.playwright === true ? playwright() : firstRun()
    for (const [file, text] of files) {
      if (existsSync(file)) {
        terminal.out(`  is here already  ${file}`)
        continue
      }
      const made = attempt(() => makeFolder(dirname(file), FOR_ALL))
      needed(made.ok ? writeWholeFile(file, text) : made, notDone)
      terminal.out(`  written          ${file}`)
    }
    terminal.out(`\n${next}`)
    return 0
  },
)

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

const RUN_STEPS = `      - run: npx --no handset run --report html,junit,github
      - if: failure()
        uses: actions/upload-artifact@v4
        with: { name: handset-results, path: handset-results }
`

const PLAYWRIGHT_STEPS = `      - run: npx --no playwright install --with-deps chromium
      - run: npx --no playwright test
      - if: failure()
        uses: actions/upload-artifact@v4
        with: { name: test-results, path: test-results }
`

const PLAYWRIGHT_CONFIG = `import { defineConfig, devices } from '@playwright/test'
import { fido } from './tests/global-setup'

// Port on which your own server listens.
const port = process.env.PORT ?? '3000'

export default defineConfig({
  testDir: 'tests',
  // Starts one bench for all workers.
  globalSetup: './tests/global-setup',
  reporter: process.env.CI ? [['github'], ['html', { open: 'never' }]] : 'list',
  use: { baseURL: \`http://localhost:\${port}\`, trace: 'on-first-retry' },
  projects: [{ name: 'chromium', use: devices['Desktop Chrome'] }],
  webServer: {
    // Put the command here that starts your own server. It must call the service that these variables name.
    command: 'npm start',
    env: { ...fido, PORT: port },
    // Must not answer 404: name a path that your server has.
    url: \`http://localhost:\${port}\`,
    // A server that already runs would call another service.
    reuseExistingServer: false,
  },
})
`

/** Kept out of the template: the architecture test would take the starter's import for one of this file. */
const SDK = "'handset'"

const GLOBAL_SETUP = `// Not 7420, where handset start may run at the same time.
const port = Number(process.env.HANDSET_PORT ?? 7421)
const accessKey = { id: 'shop', secret: 'a-secret-of-some-length' }

/** The address and the key that your server uses for the service; only for tests. */
export const fido = {
  FIDO_BASE_URL: \`http://localhost:\${port}/fido\`,
  FIDO_ACCESS_KEY_ID: accessKey.id,
  FIDO_SECRET_KEY: accessKey.secret,
}

export default async () => {
  // Imported here, since each worker reads this file with the configuration.
  const { startHandset } = await import(${SDK})
  const handset = await startHandset({ port, accessKey })
  process.env.HANDSET_CONTROL_URL = handset.controlUrl
  process.env.HANDSET_TOKEN = handset.token
  return () => handset.close()
}
`

const PLAYWRIGHT_TEST = `import { expect, test } from 'handset/playwright'

test('a user signs in by the code on the page', async ({ page, phone, workspace }) => {
  const rp = await workspace.rp()
  const registration = await rp.register({ user_id: 'ann', username: 'ann' })
  await phone.scan(registration.url)
  await phone.approve()

  // Labels and texts of your own page.
  await page.goto('/')
  await page.getByLabel('User').fill('ann')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await phone.scan(page.getByRole('img'))
  await phone.approve()
  await expect(page.getByRole('status')).toHaveText('done')
})
`

const workflowOf = (steps: string): string => `name: Handset
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
${steps}`

const INSTALL_PLAYWRIGHT = 'First install it: npm i -D @playwright/test && npx playwright install chromium'

type Starter = readonly [files: readonly (readonly [file: string, text: string])[], next: string]

/** An existing project file may name no scenarios, so the command then names them. */
const firstRun = (): Starter => [
  [
    [PROJECT_FILE, CONFIG],
    ['scenarios/sign-in.yaml', SCENARIO],
    ['.github/workflows/handset.yml', workflowOf(RUN_STEPS)],
  ],
  `Now play it: npx handset run${existsSync(PROJECT_FILE) ? ' scenarios' : ''}`,
]

const playwright = (): Starter => [
  [
    ['playwright.config.ts', PLAYWRIGHT_CONFIG],
    ['tests/global-setup.ts', GLOBAL_SETUP],
    ['tests/sign-in.spec.ts', PLAYWRIGHT_TEST],
    ['.github/workflows/handset-playwright.yml', workflowOf(PLAYWRIGHT_STEPS)],
  ],
  [
    ...(findUpwards('node_modules/@playwright/test', process.cwd()) === undefined ? [INSTALL_PLAYWRIGHT] : []),
    'Now name your server in playwright.config.ts, then: npx playwright test',
  ].join('\n'),
]
