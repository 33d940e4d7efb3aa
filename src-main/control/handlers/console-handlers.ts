import { refuse } from '../../protocol/errors.ts'
import { MAIN_WORKSPACE } from '../../protocol/ids.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { AccessKeyInfo, AccessKeyWithSecret } from '../../service/console/console.ts'
import type { consoleRoutes } from '../contract/console-routes.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer, Handlers, RouteIds } from '../handler.ts'
import { ownRootsPem } from '../own-roots.ts'

export const consoleHandlers = (parts: ControlParts): Handlers<RouteIds<typeof consoleRoutes>> => {
  const { console, phones } = parts

  const originFor = (rpId: string): string =>
    rpId === 'localhost' ? new URL(parts.addresses.uiUrl(MAIN_WORKSPACE)).origin : `https://${rpId}`

  /** A key is only found under its own RP. */
  const keyOf = async (
    workspace: string,
    { rp, key }: { readonly rp: string; readonly key: string },
  ): Answer<AccessKeyInfo> => {
    const keys = await console.accessKeys.list(workspace, rp)
    if (!keys.ok) return keys
    const found = keys.value.find(({ id }) => id === key)
    return found === undefined ? err(refuse('not_found', `There is no access key ${JSON.stringify(key)}.`)) : ok(found)
  }

  return {
    'rps.list': async ({ workspace }) => listed('rps', await console.rps.list(workspace)),
    'rps.create': ({ workspace, body }) => console.rps.create(workspace, { origins: [originFor(body.rp_id)], ...body }),
    'rps.get': ({ workspace, params }) => console.rps.get(workspace, params.rp),
    'rps.patch': ({ workspace, params, body }) => console.rps.patch(workspace, params.rp, body),
    'rps.delete': async ({ workspace, params }) => gone(await console.rps.delete(workspace, params.rp)),
    'keys.list': async ({ workspace, params }) => listed('keys', await console.accessKeys.list(workspace, params.rp)),
    'keys.create': async ({ workspace, params, body }) => {
      const made = await console.accessKeys.create(workspace, params.rp, body)
      return made.ok ? ok({ key: withoutSecret(made.value), secret: made.value.secret }) : made
    },
    'keys.reveal': async ({ workspace, params }) => {
      const key = await keyOf(workspace, params)
      if (!key.ok) return key
      const revealed = await console.accessKeys.reveal(workspace, params.key)
      return revealed.ok ? ok({ secret: revealed.value.secret }) : revealed
    },
    'keys.patch': async ({ workspace, params, body }) => {
      const key = await keyOf(workspace, params)
      return key.ok ? console.accessKeys.patch(workspace, params.key, body) : key
    },
    'keys.delete': async ({ workspace, params }) => {
      const key = await keyOf(workspace, params)
      return key.ok ? gone(await console.accessKeys.delete(workspace, params.key)) : key
    },
    'keys.undelete': ({ workspace, params }) => console.accessKeys.undelete(workspace, params.rp, params.key),
    'messages.list': async ({ workspace, query }) => listed('messages', await console.messages.list(workspace, query)),
    'messages.get': ({ workspace, params }) => console.messages.get(workspace, params.id),
    'credentials.list': async ({ workspace, query }) =>
      listed('credentials', await console.credentials.list(workspace, query)),
    'credentials.delete': async ({ workspace, params }) => gone(await console.credentials.delete(workspace, params.id)),
    'accounts.list': async ({ workspace }) => listed('accounts', await console.accounts.list(workspace)),
    'devices.list': async ({ workspace }) => listed('devices', await console.devices.list(workspace)),
    'devices.sign-out': async ({ workspace, params }) => gone(await console.devices.signOut(workspace, params.id)),
    'credentials.undelete': ({ workspace, params }) => console.credentials.undelete(workspace, params.id),
    'roots.undelete': ({ workspace, params }) => console.roots.undelete(workspace, params.id),
    'roots.list': async ({ workspace }) => listed('roots', await console.roots.list(workspace)),
    'roots.add': ({ workspace, body }) => console.roots.add(workspace, body),
    'roots.delete': async ({ workspace, params }) => gone(await console.roots.delete(workspace, params.id)),
    'roots.export': async ({ workspace }) => ok({ pem: ownRootsPem(await phones.makers(workspace)) }),
  }
}

const listed = <K extends string, T, E>(name: K, list: Result<T, E>): Result<{ readonly [P in K]: T }, E> =>
  list.ok ? ok({ [name]: list.value } as { readonly [P in K]: T }) : list

const gone = <T, E>(result: Result<T, E>): Result<Record<never, never>, E> => (result.ok ? ok({}) : result)

const withoutSecret = ({ secret: _, ...key }: AccessKeyWithSecret): AccessKeyInfo => key
