import type { AttemptReport, ScenarioResult } from '../../core/contract/run-report.ts'

export type RunStep = AttemptReport['steps'][number]

export const failedStep = ({ steps }: AttemptReport): RunStep | undefined => steps.find(({ ok }) => !ok)

export const failureMessage = (step: RunStep): string =>
  `${step.title}: expected ${step.expected ?? ''}, received ${step.received ?? ''}`

export const failureLines = ({ file, id }: Pick<ScenarioResult, 'file' | 'id'>, step: RunStep): readonly string[] => [
  `at        ${step.file ?? file}:${step.line}`,
  `step      ${step.number}. ${step.title}`,
  `expected  ${step.expected ?? ''}`,
  `received  ${step.received ?? ''}`,
  ...(step.why ?? []).map((reason, i) => `${i === 0 ? 'why       ' : '          '}${reason}`),
  ...step.events.map((event, i) => `${i === 0 ? 'meanwhile ' : '          '}${event}`),
  `replay    npx handset run --replay ${id}`,
]

export const truncate = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`
