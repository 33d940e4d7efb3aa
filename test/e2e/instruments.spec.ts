import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { Evidence } from '../../src-main/core/contract/judge/evidence.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import type { Setting } from './support/setting.ts'

/** Both are quoted JSON here. */
const quoted = (told: Evidence | undefined): string => (typeof told === 'string' ? told : JSON.stringify(told))

test('the inspector shows the steps of a failed ceremony, and the first that failed', async ({ open, bench }) => {
  await bench.registered('origin-wrong')
  const desk = await open()
  const alice = desk.phone('Alice')
  await expect(alice.root.getByText('1 fault')).toBeVisible()
  await desk.rp.signInByCode()
  await alice.answer()
  await expect(desk.rp.heading).toHaveText('We could not sign you in')
  await expect(desk.rp.status).toContainText('origin_mismatch')
  await expect(alice.heading).toHaveText('Not signed in')

  await desk.rp.why.click()
  const verdict = await verdictOf(bench)
  const { inspector } = desk
  await expect(inspector.tab('Steps')).toHaveAttribute('aria-selected', 'true')
  await expect(inspector.panel).toContainText('Refused')
  if (verdict.failure === undefined) throw new Error('the verdict accepts')
  await expect(inspector.panel).toContainText(en.failures[verdict.failure.word])
  await expect(inspector.steps).toHaveCount(verdict.steps.length)
  await expect(inspector.steps).toContainText(verdict.steps.map(({ id }) => id))
  await expect(inspector.stepsThat('failed')).toHaveCount(1)
  await expect(inspector.chosen).toContainText(verdict.failure?.step ?? '')
  const failed = verdict.steps.find(({ outcome }) => outcome === 'failed')
  await expect(inspector.panel).toContainText(quoted(failed?.expected))
  await expect(inspector.panel).toContainText(quoted(failed?.received))
})

type Verdict = Extract<BenchEvent, { kind: 'verdict' }>

const verdictOf = async ({ control }: Setting): Promise<Verdict> => {
  const { events } = await control.call('events.list', { query: { kind: 'verdict', latest: true, limit: 1 } })
  const [verdict] = events as unknown as readonly Verdict[]
  if (verdict === undefined) throw new Error('nothing was judged')
  return verdict
}
