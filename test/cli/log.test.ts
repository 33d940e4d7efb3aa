import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { terminalLog } from '../../src-main/cli/log.ts'

const terminal = () => {
  const written: string[] = []
  return { written, out: () => undefined, error: (text: string) => void written.push(text), color: false, width: 80 }
}

const NOON = '2030-01-01T12:00:00.000Z'
const noon = { now: () => Date.parse(NOON), at: () => () => undefined }

test('requests are told when asked for, with their time, those of one turn of the event loop in one go', async () => {
  const { written, ...rest } = terminal()
  const log = terminalLog(rest, true, noon)
  log({ level: 'info', event: 'rp request', request: 'req_1', code: 0, route: undefined })
  log({ level: 'debug', event: 'more', text: 'a "word"' })
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual([`${NOON} info  rp request  request=req_1 code=0\n${NOON} debug more  text="a \\"word\\""`])
  log({ level: 'info', event: 'later' })
  await nextTurn()
  expect(written).toHaveLength(2)
})

test('trouble is told at once and always, after what came before it', async () => {
  const { written, ...rest } = terminal()
  terminalLog(rest, false, noon)({ level: 'error', event: 'bug', error: 'x' })
  expect(written).toEqual([`${NOON} error bug  error=x`])
  const log = terminalLog(rest, true, noon)
  log({ level: 'info', event: 'rp request' })
  log({ level: 'warn', event: 'trouble' })
  await nextTurn()
  expect(written.slice(1)).toEqual([`${NOON} info  rp request \n${NOON} warn  trouble `])
})

test('without being asked for, requests are not told', async () => {
  const { written, ...rest } = terminal()
  terminalLog(rest, false, noon)({ level: 'info', event: 'rp request' })
  await nextTurn()
  expect(written).toEqual([])
})
