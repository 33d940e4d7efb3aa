import { expect, it, vi } from 'vitest'
import { FAULT_NAMES } from '../../../src-main/core/contract/faults.ts'
import { evidenceText, faultText, messages } from '../../../src-renderer/ui/messages.ts'
import { cast, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

/** Each text as its own code: whatever reads a sentence no longer finds one. */
vi.mock('../../../src-main/core/messages/en/en.ts', async (original) => {
  const { en } = await original<typeof import('../../../src-main/core/messages/en/en.ts')>()
  const inCodes = (texts: object) =>
    Object.fromEntries(
      Object.entries(texts).map(([code, text]) => [code, typeof text === 'function' ? () => code : code]),
    )
  return { en: Object.fromEntries(Object.entries(en).map(([table, texts]) => [table, inCodes(texts)])) }
})

const bench = benchOfFile()

it('a failed result is its code twice where the sentence would stand', async () => {
  const { client } = bench
  const { id } = await client.call('workspaces.create', { body: {} })
  const workspace = client.workspace(id)
  const players = await cast(workspace)
  await workspace.call('phones.arm', { params: { id: players.phone }, body: { fault: 'challenge-wrong' } })
  const attempt = await register(workspace, players)
  expect(attempt).toMatchObject({ status: 'fail', error: 'challenge_mismatch: challenge_mismatch' })
})

it('the catalogue has every fault, by its name', async () => {
  const { faults } = await bench.client.call('catalogue.faults')
  expect(faults.length).toBe(FAULT_NAMES.length)
  for (const { name, title } of faults) expect(title).toBe(name)
})

it('the page says a step, its evidence and a fault by their codes', () => {
  expect(messages.steps['7.1.8']).toBe('7.1.8')
  expect(evidenceText({ code: 'more_than', params: { count: 5 } })).toBe('more_than')
  expect(evidenceText('"data"')).toBe('"data"')
  expect(faultText('challenge-wrong')).toBe('challenge-wrong')
})
