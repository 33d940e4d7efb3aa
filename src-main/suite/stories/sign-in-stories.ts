import type { Finding } from '../../contract/suite-findings.ts'
import type { Visitor } from '../rp-driver.ts'
import { addressOf, approves, broke, codeOf, HELD, letIn, polled, registers, type Stage, settled } from '../stage.ts'
import { mustRefuse, notBegun, untilApproved } from './beginnings.ts'

type Unwanted = 'signed_in_unannounced' | 'signed_in_rejected' | 'signed_in_unapproved' | 'signed_in_unasked'

/** Nobody may be signed in here. */
const nobody = async (visitor: Visitor, code: Unwanted): Promise<Finding> => {
  const who = await visitor.who()
  return who === undefined ? HELD : letIn({ code, params: { who } })
}

export const NOT_SIGNED_IN = broke({ code: 'not_signed_in', params: {} })

/** The user signs in and approves. */
const approved = async (stage: Stage): Promise<Finding> => {
  const { driver, user } = stage
  const visitor = driver.visitor()
  const course = await untilApproved(stage, visitor, () => visitor.signIn(user))
  if (course.finding !== undefined) return course.finding
  const { begun, careful } = course
  const state = await settled(stage, visitor, begun)
  const who = await visitor.who()
  if (who !== undefined && who !== user.user_id)
    return letIn({ code: 'signed_in_as_other', params: { who, asked: user.user_id } })
  if (careful === 'refuses') {
    await polled(visitor, begun, 1)
    return nobody(visitor, 'signed_in_unannounced')
  }
  return who === undefined ? broke({ code: 'not_signed_in', params: { state } }) : HELD
}

/** The user signs in and rejects it on the phone. */
const rejected = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const begun = await visitor.signIn(stage.user)
  if (!begun.ok) return notBegun(begun.refusal)
  await stage.phone.scan(await codeOf(stage, begun))
  await polled(visitor, begun, 1)
  await stage.arm()
  await stage.phone.reject()
  await settled(stage, visitor, begun)
  await polled(visitor, begun)
  return nobody(visitor, 'signed_in_rejected')
}

/** Somebody asks to sign in as the user, who never scans. */
const ignored = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  await stage.arm()
  const begun = await visitor.signIn(stage.user)
  if (!begun.ok) return HELD
  await polled(visitor, begun, 3)
  const finding = await nobody(visitor, 'signed_in_unapproved')
  if (finding !== HELD) return finding
  const { messages } = await stage.workspace.client.call('messages.list', {
    query: { user_id: stage.user.user_id, limit: 1 },
  })
  const [message] = messages
  if (message !== undefined) await stage.workspace.expire(message.id)
  const state = await settled(stage, visitor, begun)
  if (state !== 'failed') return broke({ code: 'not_expired', params: { state } })
  return nobody(visitor, 'signed_in_unapproved')
}

/** What the service answers cannot be used: the RP says so at once. */
const begun = (stage: Stage): Promise<Finding> => mustRefuse(stage, () => stage.driver.visitor().signIn(stage.user))

/** Another browser asks for the request with which the user signed in. */
const revisited = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const started = await visitor.signIn(stage.user)
  await approves(stage.phone, await codeOf(stage, started))
  await settled(stage, visitor, started)
  if ((await visitor.who()) !== stage.user.user_id) return NOT_SIGNED_IN
  await stage.arm({ times: 5 })
  const stranger = stage.driver.visitor()
  await polled(stranger, started)
  return nobody(stranger, 'signed_in_unasked')
}

/** The RP gets the address of a request that somebody else approves. */
const crossed = async (stage: Stage): Promise<Finding> => {
  const { user, driver } = stage
  const other = stage.anotherUser()
  const phone = await stage.anotherPhone()
  const own = driver.visitor()
  const otherStage = { ...stage, user: other, phone }
  if (!(await registers(otherStage, own))) return broke({ code: 'other_not_registered' })
  const theirs = await own.signIn(other)
  const url = await addressOf(otherStage, theirs)
  await stage.arm({ parameters: { url } })
  const visitor = driver.visitor()
  const started = await visitor.signIn(user)
  if (!started.ok) return HELD
  const address = stage.fault === undefined ? url : await codeOf(stage, started)
  await approves(phone, address)
  if (stage.fault === undefined) await approves(stage.phone, await codeOf(stage, started))
  await settled(stage, visitor, started)
  const who = await visitor.who()
  if (stage.fault === undefined) return who === user.user_id ? HELD : NOT_SIGNED_IN
  return who === undefined ? HELD : letIn({ code: 'signed_in_as_other', params: { who, asked: user.user_id } })
}

export const SIGN_IN_STORIES = {
  'sign-in-approved': approved,
  'sign-in-rejected': rejected,
  'sign-in-ignored': ignored,
  'sign-in-begun': begun,
  'sign-in-revisited': revisited,
  'sign-in-crossed': crossed,
} as const
