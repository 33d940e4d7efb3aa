import { pause } from '../../../sdk/real-time.ts'
import { type Case, checkRefusal, ownPhoneCase } from '../case.ts'
import { isSuccess, readEnvelope, responseLine, successData } from '../exchange.ts'
import { failed, passed, passIf, vacuous } from '../finding.ts'
import {
  listCredentials,
  registerOwnPhone,
  registerUser,
  removeCredentials,
  signInOwnPhone,
  type User,
  userCase,
} from '../steps.ts'
import type { World } from '../world.ts'

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** How many credentials the service says that it removed. */
const remove = async (world: World, user: User, ids: readonly unknown[]): Promise<unknown> =>
  readEnvelope(await removeCredentials(world, user, ids)).data.total

const MAX_CREDENTIALS = 50

/** docs/interface/relying-party.md, "Users and credentials". */
export const credentialCases: readonly Case[] = [
  ownPhoneCase('a new credential is listed with its id, name, user and times', async (world) => {
    const phone = await world.ownPhone()
    const { user } = await registerUser(world, phone, undefined, { credential_name: 'My phone' })
    const [entry = {}, second] = await listCredentials(world, user.user_id)
    const isWhole =
      second === undefined &&
      typeof entry.credential_id === 'string' &&
      entry.credential_id !== '' &&
      entry.credential_name === 'My phone' &&
      entry.user_id === user.user_id &&
      RFC_3339.test(String(entry.created_at)) &&
      RFC_3339.test(String(entry.updated_at))
    return passIf(isWhole, JSON.stringify(entry))
  }),
  userCase('updated_at is the latest use', async ({ phone, user }, world) => {
    const [before = {}] = await listCredentials(world, user.user_id)
    await pause(1100)
    if ((await signInOwnPhone(world, phone, user)).status !== 'success') return vacuous('a sign-in does not succeed')
    const [after = {}] = await listCredentials(world, user.user_id)
    const grew = Date.parse(String(after.updated_at)) > Date.parse(String(before.updated_at))
    return passIf(grew && after.created_at === before.created_at, JSON.stringify([before, after]))
  }),
  ownPhoneCase('credentials are listed oldest first', async (world) => {
    const [phone, other] = [await world.ownPhone(), await world.ownPhone()]
    const { user } = await registerUser(world, phone, undefined, { credential_name: 'first' })
    await pause(1100)
    await registerUser(world, other, user.user_id, { credential_name: 'second' })
    const names = (await listCredentials(world, user.user_id)).map((each) => each.credential_name)
    return passIf(`${names}` === 'first,second', names.join(', '))
  }),
  userCase('user_ids that differ in case or spaces are different users', async ({ user }, world) => {
    const own = await listCredentials(world, user.user_id)
    if (own.length !== 1) return vacuous(`the user has ${own.length} credentials`)
    const spaced = await registerOwnPhone(world, `${world.fresh('u')} `)
    const trimmed = await listCredentials(world, spaced.user.user_id.trim())
    if (trimmed.length > 0) return failed('the space at the end of a user_id is lost')
    for (const other of [` ${user.user_id}`, `${user.user_id} `, user.user_id.toUpperCase()]) {
      const { length } = await listCredentials(world, other)
      if (length > 0) return failed(`${JSON.stringify(other)} has ${length} as well`)
    }
    return passed
  }),
  ownPhoneCase('a user_id beyond ASCII is one user everywhere', async (world) => {
    const phone = await world.ownPhone()
    const { user } = await registerUser(world, phone, `${world.fresh('u')}-李伟+é`)
    const { length } = await listCredentials(world, user.user_id)
    return passIf(length === 1, `the list has ${length}`)
  }),
  userCase('a credential that is removed is gone, and the user can no longer sign in', async ({ user }, world) => {
    const [entry = {}] = await listCredentials(world, user.user_id)
    const removed = await remove(world, user, [entry.credential_id])
    if (removed !== 1) return failed(`removing it: total ${JSON.stringify(removed)}`)
    const { length } = await listCredentials(world, user.user_id)
    if (length !== 0) return failed(`then the list has ${length}`)
    const begun = await world.call('POST', '/rp/assertion/options', { ...user, method: 'qrcode' })
    if (world.profile.unknown_user === 'accept') return passIf(isSuccess(begun), responseLine(begun))
    return checkRefusal(begun, 40403, world)
  }),
  userCase('an id that is named twice is removed once, and unknown ids do not count', async ({ user }, world) => {
    const [{ credential_id: id } = {}] = await listCredentials(world, user.user_id)
    const total = await remove(world, user, [id, 'AAAA', id])
    return passIf(total === 1, `total ${JSON.stringify(total)}`)
  }),
  ownPhoneCase('a credential of another user is not removed', async (world) => {
    const [alice, bob] = [await registerOwnPhone(world), await registerOwnPhone(world)]
    const [{ credential_id: id } = {}] = await listCredentials(world, alice.user.user_id)
    const total = await remove(world, bob.user, [id])
    const { length } = await listCredentials(world, alice.user.user_id)
    return passIf(total === 0 && length === 1, `total ${JSON.stringify(total)}; the other user has ${length}`)
  }),
  userCase('of ten removals at once exactly one counts', async ({ user }, world) => {
    const [{ credential_id: id } = {}] = await listCredentials(world, user.user_id)
    const totals = await Promise.all(Array.from({ length: 10 }, () => remove(world, user, [id])))
    const counted = totals.reduce<number>((sum, each) => sum + Number(each), 0)
    return passIf(counted === 1, `totals ${totals.join(', ')}`)
  }),
  {
    ...ownPhoneCase('a user has as many credentials as the profile says: one more is 40901', async (world) => {
      const user_id = world.fresh('u')
      for (let n = 0; n < world.profile.credentials_per_user; n++) {
        await registerUser(world, await world.ownPhone(), user_id)
      }
      const one = await world.call('POST', '/rp/attestation/options', { user_id, username: 'check' })
      return checkRefusal(one, 40901, world)
    }),
    applies: ({ credentials_per_user }) => credentials_per_user <= MAX_CREDENTIALS,
  },
  ownPhoneCase('a list has the credentials of its user alone, and says how many', async (world) => {
    await registerOwnPhone(world)
    const { user } = await registerOwnPhone(world)
    const { total, list } = successData(await world.call('GET', `/rp/credentials?user_id=${user.user_id}`))
    return passIf(total === 1 && Array.isArray(list) && list.length === 1, JSON.stringify({ total, list }))
  }),
]
