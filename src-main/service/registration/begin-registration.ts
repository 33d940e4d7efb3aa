import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { MessageAddressData, RpInput } from '../../core/contract/rp/routes.ts'
import { below, type RandomSource } from '../../core/protocol/random.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import { openMessage } from '../messages/open-message.ts'
import { type RequestContext, streamIn } from '../services.ts'
import type { Caller } from '../signing/authenticate.ts'

export const beginRegistration = async (
  context: RequestContext,
  caller: Caller,
  { body }: RpInput<'attestation.options'>,
): Promise<Result<MessageAddressData, Refusal>> => {
  const { rp } = caller
  const held = await context.services.store.credentials.list(context.workspace, { rp: rp.id, user_id: body.user_id })
  const limit = context.profile.credentials_per_user
  if (held.length >= limit)
    return err(refuse('credential_limit', { code: 'credentials_held', params: { count: held.length, limit } }))
  return openMessage(context, caller, {
    kind: 'registration',
    user_id: body.user_id,
    username: body.username,
    display_name: body.display_name ?? body.username,
    credential_name: body.credential_name ?? randomCredentialName(streamIn(context, rp.id, 'credential name')),
    pushTo: [],
  })
}

const MANNERS = [
  ...['Amber', 'Brave', 'Bright', 'Calm', 'Clever', 'Copper', 'Early', 'Gentle', 'Golden', 'Happy', 'Honest', 'Ivory'],
  ...['Jolly', 'Kind', 'Little', 'Lucky', 'Merry', 'Misty', 'Noble', 'Patient', 'Polite', 'Proud', 'Quick', 'Quiet'],
  ...['Rapid', 'Silver', 'Steady', 'Sunny', 'Swift', 'Velvet', 'Warm', 'Wise'],
] as const

const ANIMALS = [
  ...['Badger', 'Beaver', 'Bison', 'Crane', 'Deer', 'Dolphin', 'Eagle', 'Falcon', 'Finch', 'Fox', 'Gecko', 'Hare'],
  ...['Hedgehog', 'Heron', 'Ibis', 'Jay', 'Kestrel', 'Lark', 'Lynx', 'Marten', 'Mole', 'Otter', 'Owl', 'Panda'],
  ...['Puffin', 'Raven', 'Robin', 'Seal', 'Swan', 'Tern', 'Turtle', 'Wren'],
] as const

/** Two plain words and a number: `Quiet Otter 42`. */
const randomCredentialName = (source: RandomSource): string => {
  const manner = MANNERS[below(source, MANNERS.length)]
  const animal = ANIMALS[below(source, ANIMALS.length)]
  return `${manner} ${animal} ${10 + below(source, 90)}`
}
