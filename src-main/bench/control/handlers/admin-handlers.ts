import type { adminRoutes } from '../../../core/contract/control/routes.ts'
import type { AccessKeyState } from '../../../core/contract/control/states.ts'
import { notFound } from '../../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { AccessKeyWithSecret } from '../../../service/admin/admin.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Handlers, RouteIds } from '../handler.ts'
import { refusalOfPhone } from '../leases/lease.ts'
import { ownRootsPem } from '../own-roots.ts'

export const adminHandlers = (parts: ControlParts): Handlers<RouteIds<typeof adminRoutes>> => {
  const { admin, phones } = parts

  const originFor = (rpId: string): string =>
    rpId === 'localhost' ? new URL(parts.addresses.uiUrl(MAIN_WORKSPACE)).origin : `https://${rpId}`

  /** A key is only found under its own RP. */
  const keyOf = async (
    workspace: string,
    { rp, key }: { readonly rp: string; readonly key: string },
  ): Answer<AccessKeyState> => {
    const keys = await admin.accessKeys.list(workspace, rp)
    if (!keys.ok) return keys
    const found = keys.value.find(({ id }) => id === key)
    return found === undefined ? err(notFound('access_key', key)) : ok(found)
  }

  return {
    'rps.list': async ({ workspace }) => listed('rps', await admin.rps.list(workspace)),
    'rps.create': ({ workspace, body }) => admin.rps.create(workspace, { origins: [originFor(body.rp_id)], ...body }),
    'rps.get': ({ workspace, params }) => admin.rps.get(workspace, params.rp),
    'rps.patch': ({ workspace, params, body }) => admin.rps.patch(workspace, params.rp, body),
    'rps.delete': async ({ workspace, params }) => gone(await admin.rps.delete(workspace, params.rp)),
    'keys.list': async ({ workspace, params }) => listed('keys', await admin.accessKeys.list(workspace, params.rp)),
    'keys.create': async ({ workspace, params, body }) => {
      const made = await admin.accessKeys.create(workspace, params.rp, body)
      return made.ok ? ok({ key: withoutSecret(made.value), secret: made.value.secret }) : made
    },
    'keys.reveal': async ({ workspace, params }) => {
      const key = await keyOf(workspace, params)
      if (!key.ok) return key
      const revealed = await admin.accessKeys.reveal(workspace, params.key)
      return revealed.ok ? ok({ secret: revealed.value.secret }) : revealed
    },
    'keys.patch': async ({ workspace, params, body }) => {
      const key = await keyOf(workspace, params)
      return key.ok ? admin.accessKeys.patch(workspace, params.key, body) : key
    },
    'keys.delete': async ({ workspace, params }) => {
      const key = await keyOf(workspace, params)
      return key.ok ? gone(await admin.accessKeys.delete(workspace, params.key)) : key
    },
    'keys.undelete': ({ workspace, params }) => admin.accessKeys.undelete(workspace, params.rp, params.key),
    'messages.list': async ({ workspace, query }) => listed('messages', await admin.messages.list(workspace, query)),
    'messages.get': ({ workspace, params }) => admin.messages.get(workspace, params.id),
    'messages.expire': ({ workspace, params }) => admin.messages.expire(workspace, params.id),
    'credentials.list': async ({ workspace, query }) =>
      listed('credentials', await admin.credentials.list(workspace, query)),
    'credentials.delete': async ({ workspace, params }) => gone(await admin.credentials.delete(workspace, params.id)),
    'accounts.list': async ({ workspace }) => listed('accounts', await admin.accounts.list(workspace)),
    'devices.list': async ({ workspace }) => listed('devices', await admin.devices.list(workspace)),
    'devices.sign-out': async ({ workspace, params }) => gone(await admin.devices.signOut(workspace, params.id)),
    'credentials.undelete': ({ workspace, params }) => admin.credentials.undelete(workspace, params.id),
    'roots.undelete': ({ workspace, params }) => admin.roots.undelete(workspace, params.id),
    'roots.list': async ({ workspace }) => {
      // The list of trusted roots also shows the roots under which phones will attest.
      const makers = await phones.makersOf(workspace, 'packed')
      return makers.ok ? listed('roots', await admin.roots.list(workspace)) : err(refusalOfPhone(makers.error))
    },
    'roots.add': ({ workspace, body }) => admin.roots.add(workspace, body),
    'roots.delete': async ({ workspace, params }) => gone(await admin.roots.delete(workspace, params.id)),
    'roots.export': async ({ workspace }) => {
      const makers = await phones.makersOf(workspace, 'fido-u2f')
      return makers.ok ? ok({ pem: ownRootsPem(makers.value) }) : err(refusalOfPhone(makers.error))
    },
  }
}

const listed = <K extends string, T, E>(name: K, list: Result<T, E>): Result<{ readonly [P in K]: T }, E> =>
  list.ok ? ok({ [name]: list.value } as { readonly [P in K]: T }) : list

const gone = <T, E>(result: Result<T, E>): Result<Record<never, never>, E> => (result.ok ? ok({}) : result)

const withoutSecret = ({ secret: _, ...key }: AccessKeyWithSecret): AccessKeyState => key
