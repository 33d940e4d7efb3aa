import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ControlError } from '../../src-main/sdk/client.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

const ALICE = { name: 'Alice', account: { name: 'Alice Chen', phone: '13812345678' } }

const codeOf = async (call: Promise<unknown>): Promise<number> => {
  try {
    await call
    return 0
  } catch (error) {
    if (error instanceof ControlError) return error.code
    throw error
  }
}

describe('an exported workspace', () => {
  it('is refused with broken phones or broken rows, and then nothing of the workspace is lost', async () => {
    const { client } = bench
    await client.call('phones.create', { body: ALICE })
    const exported = await client.call('workspace.export')
    const before = await client.call('phones.list')
    for (const phones of [{}, { phones: [{}] }, { phones: 'none' }, 7]) {
      expect(await codeOf(client.call('workspace.import', { body: { ...exported, phones } }))).toBe(40002)
    }
    for (const service of [{}, { ...(exported.service as object), tables: { rps: [{ colour: 'red' }] } }]) {
      expect(await codeOf(client.call('workspace.import', { body: { ...exported, service } }))).toBe(40002)
    }
    expect(await client.call('phones.list')).toEqual(before)
    expect(await codeOf(client.call('workspace.import', { body: exported }))).toBe(0)
    expect((await client.call('phones.list')).phones.map(({ name }) => name)).toEqual(['Alice'])
  })
})

describe('a wiped phone', () => {
  it('signs in again with the account of another phone', async () => {
    const client = bench.client
    const first = await client.call('phones.create', {
      body: { name: 'First', account: { name: 'Bo Li', phone: '13900001111' } },
    })
    const second = await client.call('phones.create', { body: { name: 'Second', same_account_as: first.id } })
    await client.call('phones.wipe', { params: { id: second.id } })
    expect(await codeOf(client.call('phones.sign-in', { params: { id: second.id } }))).not.toBe(0)
    const again = await client.call('phones.sign-in', {
      params: { id: second.id },
      body: { same_account_as: first.id },
    })
    expect(again.signed_in).toBe(true)
  })
})
