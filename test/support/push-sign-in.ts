import { connectHandset } from '../../src-main/sdk/index.ts'

type Door = { readonly controlUrl: string; readonly token: string }

/** The first phone of a workspace signs this user in, by push. */
export const pushSignIn = async (
  { controlUrl, token }: Door,
  {
    workspace: id,
    user,
  }: { readonly workspace: string; readonly user: { readonly user_id: string; readonly username: string } },
) => {
  const base = controlUrl.replace(/(\/w\/[^/]+)?\/control\/v1$/, '')
  const workspace = await connectHandset({ controlUrl: `${base}${id === 'main' ? '' : `/w/${id}`}/control/v1`, token })
  const [phone] = (await workspace.client.call('phones.list')).phones
  const after = await workspace.lastSeq()
  const asked = await (await workspace.rp()).signIn({ ...user, method: 'push' })
  await workspace.waitFor({ kind: 'phone', change: 'pushed' }, { after })
  const params = { id: phone?.id ?? '' }
  await workspace.client.call('phones.open', { params, body: { msg_id: asked.msg_id } })
  await workspace.client.call('phones.approve', { params, body: {} })
  return asked.result()
}
