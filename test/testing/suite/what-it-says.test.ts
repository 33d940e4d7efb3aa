import { expect, it } from 'vitest'
import {
  extractNumber,
  failurePattern,
  findSign,
  numberPattern,
  type PageAtEnd,
  sharedPattern,
} from '../../../src-main/testing/suite/learn/learn-page.ts'
import {
  candidatesFor,
  fieldsFor,
  parseSnapshot,
  pushElements,
} from '../../../src-main/testing/suite/learn/page-elements.ts'

const shown = (typed: readonly string[], news: readonly string[], more: Partial<PageAtEnd> = {}): PageAtEnd => ({
  typed,
  waiting: ['Waiting for your phone.'],
  after: news,
  news,
  address: 'http://127.0.0.1:8080/',
  elements: [],
  ...more,
})

it('takes what the page says to both users, whatever stands there for one alone', () => {
  const pages = [
    shown(['robin'], ['Tip of the day', 'Hello robin, account 10001']),
    shown(['alex'], ['Hello alex, account 10002']),
  ] as const
  expect(sharedPattern(pages)).toBe('Hello .+, account \\d+')
  expect(findSign(pages)).toBe('Hello (.+), account \\d+')
})

it('finds who is signed in by an address or a number where the page does not name what was typed', () => {
  const at = (path: string) => ({ address: `http://127.0.0.1:8080${path}` })
  const [robin, alex] = [shown(['robin@example.org'], [], at('/u/robin')), shown(['alex'], [], at('/u/alex'))]
  expect(findSign([robin, alex])).toEqual({ address: '\\/u\\/([^/?#]+)' })
  expect(findSign([shown(['robin'], ['Member 00042']), shown(['alex'], ['Member 00043'])])).toBe('Member (\\d+)')
})

it('never takes for a failure what the page says while it waits or when it succeeds', () => {
  const failures = [shown([], ['No luck today: user_rejected.', 'Home']), shown([], ['Too late.'])]
  const good = [shown([], ['Home', 'You are in.'], { waiting: ['The code expired? Reload.'] })]
  const pattern = new RegExp(failurePattern(failures, good) ?? '')
  const lines = ['No luck today: other_user.', 'Too late.', 'Please try again.']
  const others = ['Home', 'You are in.', 'The code expired? Reload.']
  expect([...lines, ...others].filter((line) => pattern.test(line))).toEqual(lines)
  expect(failurePattern([shown([], ['Home'])], good)).toBeUndefined()
})

it('learns the word that begins each failure, whatever stands behind it', () => {
  const failures = [shown([], ['Failed: The phone has not confirmed it. user_rejected'])]
  const good = [shown([], ['You are in.'])]
  const pattern = new RegExp(failurePattern(failures, good) ?? '')
  const lines = ['Failed: The service gave no usable answer.', 'Could not begin.', 'It could not begin.']
  expect(lines.filter((line) => !pattern.test(line))).toEqual([])
})

it('keeps a number that each user gets', () => {
  const kept = numberPattern([
    shown([], ['Your staff number is S-000417.']),
    shown([], ['Your staff number is S-000418.']),
  ])
  expect(extractNumber(kept, ['Your staff number is S-000500.'])).toEqual({ number: 'S-000500' })
  expect(numberPattern([shown([], ['Made in 2024']), shown([], ['Made in 2024'])])).toBeUndefined()
})

it('fills in the fields of the form that the button belongs to', () => {
  const entry =
    '- textbox "Account name"\n- checkbox "Remember me"\n- button "Sign in with a code"\n- button "Sign in by push"'
  const elements = parseSnapshot(`- textbox "Name for a new account"\n- button "Register"\n${entry}`)
  const fieldsOf = (goal: 'register' | 'sign_in' | 'push') => {
    const [target] = candidatesFor(goal, elements)
    return target === undefined ? [] : [target.name, ...fieldsFor(target, elements).map(({ name }) => name)]
  }
  expect(fieldsOf('register')).toEqual(['Register', 'Name for a new account'])
  expect(fieldsOf('sign_in')).toEqual(['Sign in with a code', 'Account name', 'Remember me'])
  expect(fieldsOf('push')).toEqual(['Sign in by push', 'Account name', 'Remember me'])
  expect(pushElements(elements).map(({ name }) => name)).toEqual(['Sign in by push'])
})
