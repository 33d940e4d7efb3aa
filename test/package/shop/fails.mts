import type { Phone, Workspace } from 'handset'

/** A phone that falls for another origin, as the body of a test that then fails. */
export const fallForAnotherOrigin = async (phone: Phone, workspace: Workspace): Promise<void> => {
  const rp = await workspace.rp()
  const message = await rp.register({ user_id: 'carl', username: 'carl' })
  await phone.arm('origin-wrong')
  await phone.scan(message.url)
  await phone.approve()
}
