import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { QUIET_LOG, terminalLog } from '../../src-main/cli/log.ts'
import { logProblemText } from '../../src-main/core/contract/log-problems.ts'

const terminal = () => {
  const written: string[] = []
  return { written, out: () => undefined, error: (text: string) => void written.push(text), color: false, width: 80 }
}

const ALL = { form: 'text', level: 'debug' } as const
const NOON = '2030-01-01T12:00:00.000Z'
const noon = { now: () => Date.parse(NOON), at: () => () => undefined }

test('requests are told when asked for, with their time, those of one turn of the event loop in one go', async () => {
  const { written, ...rest } = terminal()
  const log = terminalLog(rest, ALL, noon)
  log({ level: 'info', event: 'rp request', request: 'req_1', code: 0, route: undefined })
  log({ level: 'debug', event: 'more', text: 'a "word"' })
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual([`${NOON} info  rp request  request=req_1 code=0\n${NOON} debug more  text="a \\"word\\""`])
  log({ level: 'info', event: 'later' })
  await nextTurn()
  expect(written).toHaveLength(2)
})

test('trouble is told at once and always, after what came before it; requests only when asked for', async () => {
  const { written, ...rest } = terminal()
  const quiet = terminalLog(rest, QUIET_LOG, noon)
  quiet({ level: 'info', event: 'rp request' })
  quiet({ level: 'error', event: 'bug', error: 'x' })
  expect(written).toEqual([`${NOON} error bug  error=x`])
  const log = terminalLog(rest, ALL, noon)
  log({ level: 'info', event: 'rp request' })
  log({ level: 'warn', event: 'trouble' })
  await nextTurn()
  expect(written.slice(1)).toEqual([`${NOON} info  rp request \n${NOON} warn  trouble `])
})

test('[serve.log] as JSON each line is an object, with the time and the fields of the line; off tells nothing', async () => {
  const { written, ...rest } = terminal()
  const log = terminalLog(rest, { form: 'json', level: 'info' }, noon)
  log({ level: 'info', event: 'rp request', request: 'req_1', code: 0, route: undefined, text: 'a\nb' })
  log({ level: 'debug', event: 'more' })
  terminalLog(rest, { form: 'off', level: 'debug' }, noon)({ level: 'error', event: 'bug' })
  await nextTurn()
  expect(written.flatMap((text) => text.split('\n')).map((line) => JSON.parse(line))).toEqual([
    { time: NOON, level: 'info', event: 'rp request', request: 'req_1', code: 0, text: 'a\nb' },
  ])
})

test('a problem is a code in the line, and a sentence where it is written', () => {
  const problem = { code: 'events_newer', params: { version: 9, known: 1 } }
  const line = { level: 'error', event: 'events set aside', problem } as const
  const asText = terminal()
  terminalLog(asText, QUIET_LOG, noon)(line)
  expect(asText.written).toEqual([`${NOON} error events set aside  problem=${JSON.stringify(logProblemText(problem))}`])
  const asJson = terminal()
  terminalLog(asJson, { form: 'json', level: 'info' }, noon)(line)
  expect(asJson.written.map((text) => JSON.parse(text))).toEqual([
    { time: NOON, ...line, text: logProblemText(problem) },
  ])
})
