import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from './support/bench.ts'
import { ROOT } from './support/page-is-built.ts'

test('the first request of one’s own code is signed, and works as it stands @long', async ({ open, bench }) => {
  const desk = await open()
  await desk.console.open()
  const part = desk.page.getByRole('region', { name: 'From your own code' })
  const code = part.locator('dl > div', { hasText: 'First request' }).locator('dd code')
  await expect(code).toHaveText(/HANDSET_ACCESS_KEY=.* handset sign GET/)
  const line = (await code.textContent()) ?? ''
  const [, key = ''] = /HANDSET_ACCESS_KEY="(\w+):\$SECRET_KEY"/.exec(line) ?? []
  const { secret } = await bench.control.call('keys.reveal', { params: { rp: bench.rp.id, key }, body: {} })
  await expect(code).not.toContainText(secret)
  const handset = `'${process.execPath}' '${join(ROOT, 'src-main/bin.mjs')}'`
  const run = spawnSync('sh', ['-c', line.replace('npx handset', handset)], {
    env: { ...process.env, SECRET_KEY: secret },
    encoding: 'utf8',
  })
  expect(run.stderr).toBe('')
  expect(JSON.parse(run.stdout)).toMatchObject({ code: 0, data: { total: 0 } })
})
