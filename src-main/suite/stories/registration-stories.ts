import type { Finding } from '../../contract/suite-findings.ts'
import { broke, codeOf, HELD, letIn, polled, registers, type Stage, settled, signsIn } from '../stage.ts'
import { mustRefuse, notBegun, untilApproved } from './beginnings.ts'

/** A new user registers and approves. */
const approved = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const course = await untilApproved(stage, visitor, () => visitor.register(stage.user))
  if (course.finding !== undefined) return course.finding
  const { begun, states, careful } = course
  const state = await settled(stage, visitor, begun)
  if (careful !== 'refuses') return state === 'done' ? HELD : broke({ code: 'not_registered' })
  const after = [state, ...(await polled(visitor, begun, 1))]
  return states.includes('failed') && after.includes('done') ? broke({ code: 'reopened' }) : HELD
}

/** A new user asks to register and rejects it on the phone. */
const rejected = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const begun = await visitor.register(stage.user)
  if (!begun.ok) return notBegun(begun.refusal)
  await stage.phone.scan(await codeOf(stage, begun))
  await polled(visitor, begun, 1)
  await stage.arm()
  await stage.phone.reject()
  const states = [await settled(stage, visitor, begun), ...(await polled(visitor, begun))]
  return states.includes('done') ? broke({ code: 'registered_nothing' }) : HELD
}

/** A new user asks to register and never approves. */
const ignored = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  await stage.arm()
  const started = await visitor.register(stage.user)
  if (!started.ok) return stage.fault === undefined ? notBegun(started.refusal) : HELD
  const before = await polled(visitor, started, 1)
  await stage.phone.scan(await codeOf(stage, started))
  const states = [...before, ...(await polled(visitor, started, 3))]
  return states.includes('done') ? broke({ code: 'registered_nothing' }) : HELD
}

const begun = (stage: Stage): Promise<Finding> => mustRefuse(stage, () => stage.driver.visitor().register(stage.user))

/** Somebody who is not signed in asks to register a passkey for a user who has one. */
const byStranger = async (stage: Stage): Promise<Finding> => {
  const stranger = stage.driver.visitor()
  const phone = await stage.anotherPhone()
  await stage.arm({ times: 3 })
  if (!(await registers(stage, stranger, phone))) return HELD
  const who = await signsIn(stage, stage.driver.visitor(), phone)
  return who === undefined ? HELD : letIn({ code: 'stranger_registered', params: { who } })
}

export const REGISTRATION_STORIES = {
  'registration-approved': approved,
  'registration-rejected': rejected,
  'registration-ignored': ignored,
  'registration-begun': begun,
  'registration-by-stranger': byStranger,
} as const
