import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentText } from '../../src-renderer/connect/connect-pane.tsx'
import { SIGNERS } from '../../src-renderer/connect/signers.ts'
import { startTestBench } from '../support/bench.ts'
import { missingPrograms } from '../support/missing-programs.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'

const SECRET = 'with \'quotes\', a "$HOME" and \\ in it'
const caches = folderOfFile()

/** As a person does it: the environment and the command, pasted into a shell where the program was saved. */
const runIn = (folder: string, lines: readonly string[]): Promise<{ readonly code: unknown; readonly said: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, GOCACHE: join(caches, 'go'), LC_ALL: 'C.UTF-8' }
    execFile('bash', ['-c', lines.join('\n')], { cwd: folder, env, timeout: 120_000 }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    )
  })

/** A bench whose one phone reads each code that a server shows, and the environment that the page gives for it. */
const benchThatScans = async () => {
  const keys = [{ id: 'shop-key', secret: SECRET }]
  const rp = { name: 'Shop', rp_id: 'localhost', origins: ['http://localhost:3000'], keys }
  const { bench, client, close } = await startTestBench({ seedData: { rps: [rp], phones: [] } })
  const phone = await client.call('phones.create', { body: { name: 'Alice', behaviour: { answer: 'approve' } } })
  let closed = false
  const scanning = (async () => {
    for (let after = 0; !closed; ) {
      const match = { kind: 'message', to: 'init' }
      const event = await client
        .call('events.wait', { body: { match, after, timeout_ms: 1000 } })
        .catch(() => undefined)
      if (event?.kind !== 'message') continue
      after = event.seq
      await client.call('phones.scan', { params: { id: phone.id }, body: { url: event.url } })
    }
  })()
  return {
    environment: (secretKey: string) =>
      environmentText({
        baseUrl: bench.baseUrl,
        accessKeyId: 'shop-key',
        secretKey,
        rpId: rp.rp_id,
        origin: rp.origins[0] ?? '',
      }),
    close: async () => {
      closed = true
      await scanning
      await close()
    },
  }
}

test.each(Object.values(SIGNERS))(
  'the program in $name registers and signs in with the environment as the page gives it, and says why when it cannot',
  async ({ name, file, text, run, needs }) => {
    const missing = missingPrograms(needs)
    if (missing.length > 0) return console.log(`${name} was not run: there is no ${missing.join(', ')}`)
    const folder = temporaryFolder()
    writeFileSync(join(folder, file), text)
    const bench = await benchThatScans()
    const good = await runIn(folder, [bench.environment(SECRET), run])
    expect(good).toMatchObject({ code: 0, said: expect.stringMatching(/Registered\.\n(?:.*\n)*Signed in: alice\n$/) })
    const again = await runIn(folder, [bench.environment(SECRET), run])
    expect(again.said).not.toContain('Registered.')
    expect(again).toMatchObject({ code: 0, said: expect.stringContaining('Signed in: alice') })
    const wrong = await runIn(folder, [bench.environment(`${SECRET} `), run])
    expect(wrong.code).not.toBe(0)
    expect(wrong.said).toContain('40104')
    const bare = await runIn(folder, [`unset BASE_URL ACCESS_KEY_ID SECRET_KEY`, run])
    expect(bare.code).not.toBe(0)
    expect(bare.said).toContain('Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.')
    await bench.close()
  },
)
