import { expect, test } from 'vitest'
import { stepListener } from '../../../src-main/cli/run/listen.ts'
import type { Job } from '../../../src-main/scenario/runner/plan-jobs.ts'
import type { StepReport } from '../../../src-main/scenario/scenario-setting.ts'
import { heardTerminal } from '../../support/heard-terminal.ts'

test('what a program wrote stands below its first line', () => {
  const { terminal, out } = heardTerminal()
  const step = { number: 1, part: 'steps', line: 3, word: 'exec', title: 'starts', ok: false, said: '', events: [] }
  const failed = { ...step, expected: 'runs', received: 'wrote:\none\ntwo', took_ms: 1, from_seq: 0, to_seq: 0 }
  stepListener(terminal).step?.({ file: 'a.yaml' } as Job, failed as StepReport)
  const lines = out.join('\n').split('\n')
  const column = lines.find((line) => line.includes('wrote:'))?.indexOf('wrote:')
  expect(lines.slice(-2).map((line) => line.search(/\S/))).toEqual([column, column])
})
