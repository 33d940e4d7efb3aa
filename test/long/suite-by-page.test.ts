import { spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultFinding } from '../../src-main/core/contract/suite-findings.ts'
import { listTrials } from '../../src-main/testing/suite/walk.ts'
import { mutated } from '../mutants/apply-mutant.ts'
import { rpMutants } from '../mutants/rp-mutants.ts'
import { findBrowser } from '../support/browser.mjs'
import { freePort } from '../support/free-port.ts'
import { complaints } from '../support/heard-terminal.ts'
import { ROOT } from '../support/imports.ts'
import { runCommand } from '../support/run-command.ts'
import { EXAMPLES } from '../support/shipped-scenarios.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const canRun = spawnSync('python3', ['--version']).status === 0

const folder = folderOfFile()

/** The sample RP with one file changed, and the configuration that the docs show for it. */
const sampleRp = async (
  name: string,
  change: (source: string) => string = (source) => source,
  file: 'sample_rp.py' | 'page.html' = 'sample_rp.py',
): Promise<string> => {
  const own = join(folder, name)
  cpSync(join(EXAMPLES, 'your-own-rp'), own, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(own, 'node_modules'), 'junction')
  const source = join(own, file)
  writeFileSync(source, change(readFileSync(source, 'utf8')))
  const docs = readFileSync(join(ROOT, 'docs/using/service-faults.md'), 'utf8')
  const [, shown = ''] = /### By its page.*?```yaml\n(.*?)```/s.exec(docs) ?? []
  const config = join(own, 'suite.yaml')
  writeFileSync(config, shown.replaceAll('8080', String(await freePort())))
  return config
}

const suite = async (config: string, faults: readonly string[], more: readonly string[] = []) => {
  process.env.HANDSET_BROWSER ??= findBrowser() ?? ''
  const options = [...more, '--config', config, '--json', ...faults.flatMap((fault) => ['--fault', fault])]
  const { code, out, errors } = await runCommand(['suite', 'rp', ...options])
  return { code, errors: complaints(errors), findings: code > 1 ? [] : JSON.parse(out).findings }
}

test.skipIf(!canRun)('a careful RP holds when the suite uses its page', async () => {
  // The test of --init has two others.
  const faults = ['code-hidden-after-scan', 'fail-in-capitals', 'url-empty'] as const
  const { code, errors, findings } = await suite(await sampleRp('careful'), faults)
  expect({ code, errors }).toEqual({ code: 0, errors: [] })
  expect(findings).toMatchObject(listTrials(faults).map((trial) => ({ ...trial, verdict: 'held' })))
})

test.skipIf(!canRun)('one that still shows a scanned code is warned', async () => {
  const what = 'the code stays when it was scanned'
  const [find, replace] = ["hidden = state !== 'waiting'", "hidden = state !== 'waiting' && state !== 'scanned'"]
  const left = (page: string): string => mutated(page, { what, file: 'page.html', find, replace })
  const { code, findings } = await suite(await sampleRp('left', left, 'page.html'), ['code-hidden-after-scan'])
  const found = { verdict: 'warned', reason: { code: 'code_left' }, rule: 10 }
  expect({ code, findings }).toMatchObject({ code: 0, findings: [found, found] })
})

test.skipIf(!canRun)('one that believes whom the service names lets somebody in', async () => {
  const mutant = rpMutants.find(({ what }) => what === 'whoever the service names is signed in')
  if (mutant === undefined) throw new Error('there is no such mutant')
  // The sample RP shows the name that was typed: here it shows whom the service named.
  const named = (source: string): string =>
    mutated(source, mutant).replace('self.user = attempt["user"]\n', 'self.user = attempt["user"] = data["user_id"]\n')
  const { code, findings } = await suite(await sampleRp('careless', named), ['user-of-another'])
  expect({ code, findings }).toMatchObject({ code: 1, findings: [{ verdict: 'let_in' }, { verdict: 'let_in' }] })
})

test.skipIf(!canRun)('--init learns the page of an RP that runs, and the suite can use what it wrote', async () => {
  // A page may suggest a user name: users of the suite must not share it.
  const suggests = (page: string): string => page.replace('id="user"', 'id="user" value="robin"')
  const own = dirname(await sampleRp('learned', suggests, 'page.html'))
  const [port, bench] = [await freePort(), await freePort()]
  const env = {
    FIDO_URL: `http://localhost:${bench}/fido`,
    ACCESS_KEY_ID: 'learner',
    SECRET_KEY: 'a-secret-that-is-long-enough',
  }
  const rp = spawn('python3', ['-B', 'sample_rp.py', String(port)], { cwd: own, env: { ...process.env, ...env } })
  try {
    await expect.poll(() => fetch(`http://127.0.0.1:${port}`).then(({ ok }) => ok)).toBe(true)
    const config = join(own, 'learned.yaml')
    const at = ['--port', String(bench), '--access-key', 'learner:a-secret-that-is-long-enough', '--config', config]
    const learn = () => runCommand(['suite', 'rp', '--init', `http://127.0.0.1:${port}`, ...at])
    const { code, out, errors } = await learn()
    expect({ code, errors: complaints(errors) }).toEqual({ code: 0, errors: [] })
    const [, again = ''] =
      /Set HANDSET_ACCESS_KEY to the same value\. Try it: npx handset suite rp (.*)$/m.exec(out) ?? []
    expect(again.split(' ')).toEqual([...at.slice(4), ...at.slice(0, 3), '"$HANDSET_ACCESS_KEY"'])
    expect(readFileSync(config, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\S+\/rp-suite\.schema\.json\n/)
    const { findings } = await suite(config, ['user-of-another', 'html-page'], at.slice(0, 4))
    const verdicts = findings.map(({ story, verdict }: FaultFinding) => `${story} ${verdict}`)
    expect(verdicts).toEqual(expect.arrayContaining(['sign-in-approved held', 'push-approved held']))
    expect(verdicts.filter((told: string) => !told.endsWith(' held'))).toEqual([])
    // What is there already is never written over.
    const over = await learn()
    expect(over.code).toBe(3)
    expect(over.errors.join()).toContain('is there already')
  } finally {
    rp.kill()
  }
})
