import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { findOrInstallBrowser } from '../support/browser.mjs'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const init = (cwd: string) =>
  spawnSync(process.execPath, [join(ROOT, 'src-main/bin.mjs'), 'init', '--playwright'], { cwd, encoding: 'utf8' })

/** A shop in Python with the page of the docs, started by `npm start`, and the packages that its tests need. */
const makeShop = (): string => {
  const folder = temporaryFolder()
  for (const [name, place] of [
    ['handset', ROOT],
    ['@playwright/test', join(ROOT, 'node_modules/@playwright/test')],
  ] as const) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(place, link, 'junction')
  }
  copyFileSync(join(ROOT, 'test/package/shop/index.html'), join(folder, 'index.html'))
  copyFileSync(join(ROOT, 'node_modules/uqr/dist/index.mjs'), join(folder, 'uqr.mjs'))
  writeFileSync(
    join(folder, 'package.json'),
    '{ "private": true, "type": "module", "scripts": { "start": "node start.mjs" } }',
  )
  const args = [join(ROOT, 'test/package/shop/web_shop.py'), join(ROOT, 'clients/python/examples'), folder]
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { spawn } from 'node:child_process'
const { FIDO_BASE_URL: BASE_URL, FIDO_ACCESS_KEY_ID: ACCESS_KEY_ID, FIDO_SECRET_KEY: SECRET_KEY } = process.env
spawn('python3', ${JSON.stringify(args)}, { stdio: 'inherit', env: { ...process.env, BASE_URL, ACCESS_KEY_ID, SECRET_KEY } })
`,
  )
  return folder
}

test('[cli.init] the test that init --playwright writes passes in a browser, with a shop that npm starts and that knows the service’s own address', {
  timeout: 180_000,
}, async () => {
  const folder = makeShop()
  const next = expect.stringMatching(/\n\nNow name .*npx playwright test\n$/)
  expect(init(folder)).toMatchObject({ status: 0, stdout: next })
  // Adds nothing but the browser of this machine.
  const launchOptions = { executablePath: findOrInstallBrowser() }
  const config = `import starter from './playwright.config'
export default { ...starter, timeout: 90_000, use: { ...starter.use, launchOptions: ${JSON.stringify(launchOptions)} } }`
  writeFileSync(join(folder, 'here.config.ts'), config)
  writeFileSync(
    join(folder, 'tests/address.spec.ts'),
    `import { expect, test } from 'handset/playwright'
import { fido } from './global-setup'
test('the codes lead to the address that the server knows', async ({ handset }) => {
  expect((await handset.rp()).baseUrl).toBe(fido.FIDO_BASE_URL)
})`,
  )
  const { HANDSET_CONTROL_URL: _, HANDSET_TOKEN: __, ...env } = process.env
  const ports = { PORT: String(await freePort()), HANDSET_PORT: String(await freePort()) }
  const args = ['test', '--config', 'here.config.ts', '--reporter', 'json']
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), ...args], {
    ...{ cwd: folder, env: { ...env, ...ports }, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  const { stats, errors } = JSON.parse(await text(child.stdout))
  expect({ stats, errors }).toMatchObject({ stats: { expected: 2, unexpected: 0, skipped: 0 }, errors: [] })
})

test('[cli.init] init --playwright leaves a configuration that is there as it is, and says so', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'playwright.config.ts')
  writeFileSync(file, 'export default {}\n')
  expect(init(folder)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/is here already +playwright\.config.*npm i -D @playwright\/test/s),
  })
  expect(readFileSync(file, 'utf8')).toBe('export default {}\n')
  expect(readFileSync(join(folder, 'tests/sign-in.spec.ts'), 'utf8')).toContain('handset/playwright')
})
