import type { adminRoutes } from '../../../core/contract/control/routes.ts'
import { notFound } from '../../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { err } from '../../../core/protocol/result.ts'
import { type Answer, answerWith, type ControlParts, type Handlers, type RouteIds } from '../handler.ts'
import { answered } from '../leases/lease.ts'
import { ownRootsPem } from '../workspaces.ts'

type KeyCall = { readonly workspace: string; readonly params: { readonly rp: string; readonly key: string } }

export const adminHandlers = (parts: ControlParts): Handlers<RouteIds<typeof adminRoutes>> => {
  const { admin, phones } = parts

  const originFor = (rpId: string): string =>
    rpId === 'localhost' ? new URL(parts.addresses.uiUrl(MAIN_WORKSPACE)).origin : `https://${rpId}`

  /** A key is only found under its own RP. */
  const onKey = async <T>({ workspace, params: { rp, key } }: KeyCall, change: () => Answer<T>): Answer<T> => {
    const keys = await admin.accessKeys.list(workspace, rp)
    if (!keys.ok) return keys
    return keys.value.some(({ id }) => id === key) ? change() : err(notFound('access_key', key))
  }

  return {
    'rps.list': ({ workspace }) => answerWith(admin.rps.list(workspace), (rps) => ({ rps })),
    'rps.create': ({ workspace, body }) => admin.rps.create(workspace, { origins: [originFor(body.rp_id)], ...body }),
    'rps.get': ({ workspace, params }) => admin.rps.get(workspace, params.rp),
    'rps.patch': ({ workspace, params, body }) => admin.rps.patch(workspace, params.rp, body),
    'rps.delete': ({ workspace, params }) => gone(admin.rps.delete(workspace, params.rp)),
    'keys.list': ({ workspace, params }) =>
      answerWith(admin.accessKeys.list(workspace, params.rp), (keys) => ({ keys })),
    'keys.create': ({ workspace, params, body }) =>
      answerWith(admin.accessKeys.create(workspace, params.rp, body), ({ secret, ...key }) => ({ key, secret })),
    'keys.reveal': (call) =>
      answerWith(
        onKey(call, () => admin.accessKeys.reveal(call.workspace, call.params.key)),
        ({ secret }) => ({ secret }),
      ),
    'keys.patch': (call) => onKey(call, () => admin.accessKeys.patch(call.workspace, call.params.key, call.body)),
    'keys.delete': (call) => gone(onKey(call, () => admin.accessKeys.delete(call.workspace, call.params.key))),
    'keys.undelete': ({ workspace, params }) => admin.accessKeys.undelete(workspace, params.rp, params.key),
    'messages.list': ({ workspace, query }) =>
      answerWith(admin.messages.list(workspace, query), (messages) => ({ messages })),
    'messages.get': ({ workspace, params }) => admin.messages.get(workspace, params.id),
    'messages.expire': ({ workspace, params }) => admin.messages.expire(workspace, params.id),
    'credentials.list': ({ workspace, query }) =>
      answerWith(admin.credentials.list(workspace, query), (credentials) => ({ credentials })),
    'credentials.delete': ({ workspace, params }) => gone(admin.credentials.delete(workspace, params.id)),
    'accounts.list': ({ workspace }) => answerWith(admin.accounts.list(workspace), (accounts) => ({ accounts })),
    'devices.list': ({ workspace }) => answerWith(admin.devices.list(workspace), (devices) => ({ devices })),
    'devices.sign-out': ({ workspace, params }) => gone(admin.devices.signOut(workspace, params.id)),
    'credentials.undelete': ({ workspace, params }) => admin.credentials.undelete(workspace, params.id),
    'roots.undelete': ({ workspace, params }) => admin.roots.undelete(workspace, params.id),
    'roots.list': async ({ workspace }) => {
      // The list of trusted roots also shows the roots under which phones will attest.
      const makers = await answered(phones.makersOf(workspace, 'packed'))
      return makers.ok ? answerWith(admin.roots.list(workspace), (roots) => ({ roots })) : makers
    },
    'roots.add': ({ workspace, body }) => admin.roots.add(workspace, body),
    'roots.delete': ({ workspace, params }) => gone(admin.roots.delete(workspace, params.id)),
    'roots.export': ({ workspace }) =>
      answerWith(answered(phones.makersOf(workspace, 'fido-u2f')), (makers) => ({ pem: ownRootsPem(makers) })),
  }
}

const gone = (done: Answer<null>) => answerWith(done, () => ({}))
