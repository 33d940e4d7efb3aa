import type { RpSeed } from '../../core/contract/config.ts'
import type { RpState } from '../../core/contract/control/states.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { NewPhone, Phones } from '../../phones/phone/phones.ts'
import type { Outcome } from '../../service/admin/admin.ts'
import type { Admin } from '../../service/admin/create-admin.ts'

export type SeedData = {
  readonly rps: readonly RpSeed[]
  readonly phones: readonly NewPhone[]
  readonly profile?: Readonly<Record<string, unknown>>
}

export const DEMO_RP: RpSeed = { name: 'Demo RP', rp_id: 'localhost' }

export const createSeeder = (parts: {
  readonly admin: Admin
  readonly phones: Phones
  readonly seedData: SeedData
  /** The bench's own address, for RPs without origins. */
  readonly origin: () => string
}) => {
  const { admin, phones, seedData, origin } = parts

  /** Gives a key the secret from the settings and activates it, even if it was changed since the last start. */
  const placeKey = async (
    workspace: string,
    rp: string,
    wanted: { readonly id?: string; readonly secret?: string },
  ): Outcome<unknown> => {
    const { id, secret } = wanted
    const known = id === undefined ? undefined : await admin.accessKeys.reveal(workspace, id)
    if (id === undefined || known?.ok !== true) return admin.accessKeys.create(workspace, rp, wanted)
    if (known.value.rp !== rp) return err(refuse('already_exists', { code: 'key_of_another_rp', params: { id } }))
    if (known.value.secret === secret) {
      return known.value.state === 'active' ? known : admin.accessKeys.patch(workspace, id, { state: 'active' })
    }
    const deleted = await admin.accessKeys.delete(workspace, id)
    return deleted.ok ? admin.accessKeys.create(workspace, rp, wanted) : deleted
  }

  const place = async (workspace: string, wanted: RpSeed, known: RpState | undefined): Outcome<RpState> => {
    const { name, rp_id } = wanted
    const origins = wanted.origins ?? [originFor(rp_id, origin())]
    const rp =
      known === undefined
        ? await admin.rps.create(workspace, { name, rp_id, origins })
        : sameRp(known, { rp_id, origins })
          ? ok(known)
          : await admin.rps.patch(workspace, known.id, { rp_id, origins })
    if (!rp.ok) return rp
    const keys = await admin.accessKeys.list(workspace, rp.value.id)
    if (!keys.ok) return keys
    for (const key of wanted.keys ?? (keys.value.length === 0 ? [{}] : [])) {
      const placed = await placeKey(workspace, rp.value.id, key)
      if (!placed.ok) return placed
    }
    return rp
  }

  /** Places all seed RPs. Places the demo RP only if there is no RP, or to update that of an earlier start. */
  const placeAll = async (workspace: string, wanted: readonly RpSeed[]): Outcome<null> => {
    const there = await admin.rps.list(workspace)
    if (!there.ok) return there
    for (const rp of wanted) {
      const known = there.value.find(({ name }) => name === rp.name)
      if (rp === DEMO_RP && known === undefined && there.value.length > 0) continue
      const placed = await place(
        workspace,
        known === undefined || rp !== DEMO_RP ? rp : followPort(known, originFor(known.rp_id, origin())),
        known,
      )
      if (!placed.ok) return placed
    }
    return ok(null)
  }

  const mainRp = async () => {
    const rps = await admin.rps.list(MAIN_WORKSPACE)
    if (!rps.ok) return rps
    const wanted = seedData.rps[0]?.name
    const rp = rps.value.find(({ name }) => name === wanted) ?? rps.value[0]
    if (rp === undefined) return ok(undefined)
    const keys = await admin.accessKeys.list(MAIN_WORKSPACE, rp.id)
    if (!keys.ok) return keys
    const seeded = seedData.rps[0]?.keys?.[0]?.id
    const key = keys.value.find(({ id }) => id === seeded) ?? keys.value.find(({ state }) => state === 'active')
    if (key === undefined) return ok(undefined)
    const secret = await admin.accessKeys.reveal(MAIN_WORKSPACE, key.id)
    if (!secret.ok) return secret
    const { id, name, rp_id, origins } = rp
    return ok({ id, name, rp_id, origins, accessKeyId: key.id, secretKey: secret.value.secret })
  }

  /** In a file, `same_account_as` is a phone's name, because the file cannot know the ids of its phones. */
  const withSharer = (phone: NewPhone): NewPhone => {
    const sharer = phones.list(MAIN_WORKSPACE).find(({ name }) => name === phone.same_account_as)
    return sharer === undefined ? phone : { ...phone, same_account_as: sharer.id }
  }

  return {
    /** Gives a workspace its first RP; main gets all seed data. */
    workspace: (workspace: string, rp: 'demo' | 'none'): Outcome<null> =>
      placeAll(workspace, workspace === MAIN_WORKSPACE ? seedData.rps : rp === 'demo' ? [DEMO_RP] : []),
    /** Called at every start: existing objects stay; those that differ from the seed data are corrected. */
    main: async () => {
      const patched =
        seedData.profile === undefined ? ok(null) : await admin.profile.patch(MAIN_WORKSPACE, seedData.profile)
      if (!patched.ok) return refusedSeed(patched.error)
      const placed = await placeAll(MAIN_WORKSPACE, seedData.rps)
      if (!placed.ok) return refusedSeed(placed.error)
      const rp = await mainRp()
      return rp.ok ? rp : refusedSeed(rp.error)
    },
    phones: async (): Promise<Result<null, StartProblem>> => {
      for (const phone of seedData.phones) {
        if (phones.list(MAIN_WORKSPACE).some(({ name }) => name === phone.name)) continue
        const made = await phones.create(MAIN_WORKSPACE, withSharer(phone))
        if (!made.ok) return err({ code: 'phone_refused', params: { name: phone.name, ...made.error } })
      }
      return ok(null)
    },
  }
}

const refusedSeed = (refusal: Refusal): Result<never, StartProblem> =>
  err({ code: 'seed_refused', params: { refusal } })

/** The bench's own origin if it may use the RP ID (WebAuthn §5.1.3 step 8), or else the site of the RP ID's name. */
const originFor = (rpId: string, own: string): string => {
  const { hostname, port, protocol } = new URL(own)
  if (hostname === rpId || hostname.endsWith(`.${rpId}`)) return own
  return rpId === 'localhost' ? `${protocol}//localhost${port === '' ? '' : `:${port}`}` : `https://${rpId}`
}

/** The demo RP's page moves with the bench's scheme and port; the user's own changes to it stay. */
const followPort = ({ name, rp_id, origins }: RpState, origin: string): RpSeed => {
  const [only = ''] = origins
  return {
    name,
    rp_id,
    origins: origins.length === 1 && /^https?:\/\/localhost(:\d+)?$/.test(only) ? [origin] : origins,
  }
}

const sameRp = (rp: RpState, wanted: { readonly rp_id: string; readonly origins: readonly string[] }): boolean =>
  rp.rp_id === wanted.rp_id && JSON.stringify(rp.origins) === JSON.stringify(wanted.origins)
