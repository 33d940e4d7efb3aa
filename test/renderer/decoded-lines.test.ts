import { expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { decodedLines } from '../../src-renderer/inspector/decoded-lines.ts'
import { lineDifference } from '../../src-renderer/inspector/line-difference.ts'
import { ALICE, cast, register, startTestBench } from '../support/bench.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

it('two answers beside each other show a changed origin as one changed field', async () => {
  const { client, close } = await startTestBench()
  const { rp, phone } = await cast(client)
  await register(client, { rp, phone })
  const signIn = async () => {
    const body = { ...ALICE, method: 'qrcode', poll: false } as const
    const { url } = await client.call('simulator.sign-in', { params: { rp }, body })
    await client.call('phones.scan', { params: { id: phone }, body: { url } })
    await client.call('phones.approve', { params: { id: phone }, body: {} })
  }
  await signIn()
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-other-subdomain' } })
  await signIn()
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  const answers = (events as readonly Exchange[]).filter(({ request }) => /\/assertion$/.test(request.target))
  const [honest = [], faulty = []] = answers.map(decodedLines)
  const changed = lineDifference(honest, faulty).filter(({ kind }) => kind !== 'same')
  expect(changed.filter(({ text }) => text.startsWith('clientDataJSON.origin: '))).toHaveLength(2)
  expect(honest).toContain('clientDataJSON.type: webauthn.get')
  expect(honest.filter((line) => line.endsWith('…'))).toEqual([])
  expect(honest.find((line) => line.startsWith('authenticatorData.flags'))).toMatch(/UP UV/)
  await close()
})
