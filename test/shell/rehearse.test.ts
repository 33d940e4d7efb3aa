import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rehearseTalk } from '../../src-main/shell/start-shell.ts'
import { texts } from '../../src-main/shell/texts.ts'
import { startTestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A built page of one script, which may lack it or name another maker's. */
const pageOf = (script = '/assets/a.js'): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), `<script type="module" src="${script}"></script>`)
  writeFileSync(join(folder, 'assets/a.js'), '')
  return folder
}

const rehearsed = async (pageFolder: string, change = {}) => {
  const { client, close, bench } = await startTestBench({ pageFolder })
  onTestFinished(close)
  const result = await rehearseTalk({ ...bench, ...change }, client)
  expect((await client.call('bench.info')).workspaces).toEqual(['main'])
  return { result, uiUrl: bench.uiUrl }
}

const { rehearsal } = texts

test('a bench with its page on this computer is ready, and is left as it was', async () => {
  expect((await rehearsed(pageOf())).result).toEqual({ ok: true, value: null })
})

test('a file that the page lacks, or would fetch from elsewhere, is named', async () => {
  const lacking = await rehearsed(pageOf('/assets/b.js'))
  expect(lacking.result).toEqual({ ok: false, error: rehearsal.missing(new URL('/assets/b.js', lacking.uiUrl).href) })
  const elsewhere = await rehearsed(pageOf('https://fonts.example/a.js'))
  expect(elsewhere.result).toEqual({ ok: false, error: rehearsal.missing('https://fonts.example/a.js') })
  const unbuilt = await rehearsed('/nowhere')
  expect(unbuilt.result).toEqual({ ok: false, error: rehearsal.missing(unbuilt.uiUrl) })
})

test('an address that only a network finds is named', async () => {
  const { result } = await rehearsed(pageOf(), { uiUrl: 'http://bench.example/' })
  expect(result).toEqual({ ok: false, error: rehearsal.elsewhere('http://bench.example/') })
})
