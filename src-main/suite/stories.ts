import { type FaultStory, serviceFaultOf } from '../contract/service-faults.ts'
import type { Visitor } from './rp-driver.ts'
import {
  addressOf,
  approves,
  broke,
  type Finding,
  HELD,
  letIn,
  polled,
  registers,
  type Stage,
  settled,
  signsIn,
} from './stage.ts'

/** Nobody may be signed in here. */
const nobody = async (visitor: Visitor, why: string): Promise<Finding> => {
  const who = await visitor.who()
  return who === undefined ? HELD : letIn(`${JSON.stringify(who)} is signed in, ${why}.`)
}

/** The user signs in and approves. */
const approved = async (stage: Stage): Promise<Finding> => {
  const { driver, fault, user, phone } = stage
  const { when, careful } = fault === undefined ? { when: 'any', careful: 'completes' } : serviceFaultOf(fault)
  const visitor = driver.visitor()
  if (when !== 'bind') await stage.arm()
  const begun = await visitor.signIn(user)
  if (!begun.ok) return careful === 'completes' ? broke(`The sign-in was not begun: ${begun.why}`) : HELD
  const states = [...(await polled(visitor, begun, 1))]
  await phone.scan(await addressOf(stage, begun))
  states.push(...(await polled(visitor, begun, 1)))
  if (when === 'bind') {
    await stage.arm()
    states.push(...(await polled(visitor, begun, 1)))
  }
  if (careful === 'completes' && states.includes('failed')) return broke('The RP gave the request up.')
  await phone.approve()
  const state = await settled(stage, visitor, begun)
  const who = await visitor.who()
  if (who !== undefined && who !== user.user_id)
    return letIn(`${JSON.stringify(who)} is signed in, and ${user.user_id} asked.`)
  if (careful === 'refuses') {
    await polled(visitor, begun, 1)
    return nobody(visitor, 'and the service did not say so')
  }
  return who === undefined ? broke(`The user approved and is not signed in; the request is ${state}.`) : HELD
}

/** The user signs in and rejects it on the phone. */
const rejected = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const begun = await visitor.signIn(stage.user)
  if (!begun.ok) return broke(`The sign-in was not begun: ${begun.why}`)
  await stage.phone.scan(await addressOf(stage, begun))
  await polled(visitor, begun, 1)
  await stage.arm()
  await stage.phone.reject()
  await settled(stage, visitor, begun)
  await polled(visitor, begun)
  return nobody(visitor, 'and the request was rejected')
}

/** Somebody asks to sign in as the user, who never scans. */
const ignored = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  await stage.arm()
  const begun = await visitor.signIn(stage.user)
  if (!begun.ok) return HELD
  await polled(visitor, begun, 3)
  const finding = await nobody(visitor, 'and nobody approved')
  if (finding !== HELD) return finding
  const { messages } = await stage.workspace.client.call('messages.list', {
    query: { user_id: stage.user.user_id, limit: 1 },
  })
  const [message] = messages
  if (message !== undefined) await stage.workspace.expire(message.id)
  const state = await settled(stage, visitor, begun)
  if (state !== 'failed') return broke(`The request expired, and the RP says ${state}.`)
  return nobody(visitor, 'and nobody approved')
}

/** What the service answers cannot be used: the RP says so at once. */
const begun = async (stage: Stage): Promise<Finding> => {
  await stage.arm()
  const started = await stage.driver.visitor().signIn(stage.user)
  if (stage.fault === undefined) return started.ok ? HELD : broke(started.why)
  return started.ok ? broke('The sign-in was begun, with an address that cannot be used.') : HELD
}

/** Another browser asks for the request with which the user signed in. */
const revisited = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const started = await visitor.signIn(stage.user)
  await approves(stage.phone, await addressOf(stage, started))
  await settled(stage, visitor, started)
  if ((await visitor.who()) !== stage.user.user_id) return broke('The user approved and is not signed in.')
  await stage.arm({ times: 5 })
  const stranger = stage.driver.visitor()
  await polled(stranger, started)
  return nobody(stranger, 'in a browser that asked for nothing')
}

/** The RP gets the address of a request that somebody else approves. */
const crossed = async (stage: Stage): Promise<Finding> => {
  const { user, driver } = stage
  const other = { user_id: `${user.user_id}-2`, username: `${user.username}-2` }
  const phone = await stage.anotherPhone()
  const own = driver.visitor()
  const otherStage = { ...stage, user: other, phone }
  if (!(await registers(otherStage, own))) return broke('The second user could not be registered.')
  const theirs = await own.signIn(other)
  const url = await addressOf(otherStage, theirs)
  await stage.arm({ parameters: { url } })
  const visitor = driver.visitor()
  const started = await visitor.signIn(user)
  if (!started.ok) return HELD
  const address = stage.fault === undefined ? url : await addressOf(stage, started)
  await approves(phone, address)
  if (stage.fault === undefined) await approves(stage.phone, await addressOf(stage, started))
  await settled(stage, visitor, started)
  const who = await visitor.who()
  if (stage.fault === undefined) return who === user.user_id ? HELD : broke('The user approved and is not signed in.')
  return who === undefined ? HELD : letIn(`${JSON.stringify(who)} is signed in where ${user.user_id} asked.`)
}

/** A new user asks to register and never approves. */
const unregistered = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  const user = { user_id: `${stage.user.user_id}-new`, username: `${stage.user.username}-new` }
  const fresh = { ...stage, user }
  await stage.arm({ user_id: user.user_id })
  const started = await visitor.register(user)
  if (!started.ok) return stage.fault === undefined ? broke(started.why) : HELD
  const before = await polled(visitor, started, 1)
  await stage.phone.scan(await addressOf(fresh, started))
  const states = [...before, ...(await polled(visitor, started, 3))]
  return states.includes('done') ? broke('The RP says that the passkey is registered, and there is none.') : HELD
}

/** The user looks at their passkeys. */
const listed = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  if ((await signsIn(stage, visitor)) === undefined) return broke('The user approved and is not signed in.')
  await stage.arm()
  const shown = await visitor.passkeys()
  if (shown === undefined) return stage.fault === undefined ? broke('The RP shows no passkeys.') : HELD
  const held = await stored(stage)
  const same = shown.length === held.length && held.every((id) => shown.includes(id))
  return same ? HELD : broke(`The RP shows ${JSON.stringify(shown)}, and the user has ${JSON.stringify(held)}.`)
}

/** The user removes their passkey. */
const removed = async (stage: Stage): Promise<Finding> => {
  const visitor = stage.driver.visitor()
  if ((await signsIn(stage, visitor)) === undefined) return broke('The user approved and is not signed in.')
  const ids = await stored(stage)
  await stage.arm()
  const said = await visitor.remove(ids)
  const left = (await stored(stage)).length
  if (said === undefined) return stage.fault === undefined ? broke('The RP removes no passkeys.') : HELD
  const true_ = ids.length - left
  return said === true_ ? HELD : broke(`The RP says that it removed ${said}, and ${true_} went.`)
}

/** Somebody who is not signed in asks to register a passkey for a user who has one. */
const takenOver = async (stage: Stage): Promise<Finding> => {
  const stranger = stage.driver.visitor()
  const phone = await stage.anotherPhone()
  await stage.arm({ times: 3 })
  if (!(await registers(stage, stranger, phone))) return HELD
  const who = await signsIn(stage, stage.driver.visitor(), phone)
  return who === undefined ? HELD : letIn(`A stranger registered a passkey and is signed in as ${JSON.stringify(who)}.`)
}

const stored = async ({ workspace, user }: Stage): Promise<readonly string[]> => {
  const query = { user_id: user.user_id }
  const { credentials } = await workspace.client.call('credentials.list', { query })
  return credentials.map(({ id }) => id)
}

export const STORIES = {
  approved,
  rejected,
  ignored,
  begun,
  revisited,
  crossed,
  unregistered,
  listed,
  removed,
  'taken-over': takenOver,
} as const satisfies Readonly<Record<FaultStory, (stage: Stage) => Promise<Finding>>>
