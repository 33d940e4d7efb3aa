import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { Evidence } from '../../src-main/core/contract/judge/evidence.ts'
import { en } from '../../src-main/core/messages/en/en.ts'
import { expect, test } from './support/bench.ts'
import { exchangesIn, isPoll } from './support/pages/timeline.ts'
import type { Setting } from './support/setting.ts'

/** Both are quoted JSON here. */
const quoted = (told: Evidence | undefined): string => (typeof told === 'string' ? told : JSON.stringify(told))

test('the timeline shows every exchange of a registration and a sign-in', async ({ open, bench }) => {
  await bench.addPhone()
  const desk = await open()
  const alice = desk.phone('Alice')
  await desk.rp.register()
  await alice.answer()
  await expect(desk.rp.status).toHaveText(/^Confirmed by /)
  await desk.rp.root.getByRole('button', { name: 'Sign in now' }).click()
  await expect(desk.rp.signInCode).toBeVisible()
  await alice.answer()
  await expect(desk.rp.status).toHaveText(/^Confirmed by /)

  const titles = ['Calls outside any request', 'Register alice by QR code', 'Sign in alice by QR code'] as const
  const [calls, registration, signIn] = titles
  await expect
    .poll(() => desk.timeline.rowsOf(calls))
    .toEqual([
      'Phone signs in, phone to service, 200',
      'Listens for pushes, phone to service, 200',
      'Reads vault, phone to service, 200',
      // A careful RP looks what the account had, and what it has.
      'List passkeys, RP to service, 200',
      'List passkeys, RP to service, 200',
    ])
  const withoutPolls = async (title: string) => (await desk.timeline.rowsOf(title)).filter((row) => !isPoll(row))
  await expect
    .poll(() => withoutPolls(registration))
    .toEqual([
      'Ask to register, RP to service, 200',
      'Scanned, phone to service, 200',
      'Saves to vault, phone to service, 200',
      'Registers passkey, phone to service, 200',
      'Read the result, RP to service, 200',
    ])
  await expect
    .poll(() => withoutPolls(signIn))
    .toEqual([
      'Ask to sign in, RP to service, 200',
      'Scanned, phone to service, 200',
      'Reads vault, phone to service, 200',
      'Signs challenge, phone to service, 200',
      'Read the result, RP to service, 200',
    ])
  await expect(async () => {
    const { events } = await bench.control.call('events.list', { query: { kind: 'exchange' } })
    const shown = (await Promise.all(titles.map(desk.timeline.rowsOf))).flat().map(exchangesIn)
    expect(shown.reduce((sum, count) => sum + count, 0)).toBe(events.length)
  }).toPass()
  const { last_seq } = await bench.control.call('overview')
  await expect(desk.statusBar).toContainText(`${last_seq} events`)
})

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
