import { accountProof } from './account.ts'
import { isHeaderText } from './header-text.ts'
import type { PhoneCore } from './phone-core.ts'

/** Another device's token for a moment: another phone's on the bench, else that of a phone of the account made for it. */
export const withOtherDevice = async <T>(core: PhoneCore, use: (token: string) => Promise<T>): Promise<T> => {
  const sibling = core.ports.siblings().find((other) => other !== core && other.record().device !== undefined)
  const token = sibling?.record().device?.token
  if (token !== undefined) return use(token)
  const { account, name } = core.record()
  const { name: accountName, phone, secret = '' } = account
  const { client, appUrl } = core.ports
  const body = {
    account: { name: accountName, phone, proof: accountProof({ name: accountName, phone, secret }) },
    device_name: `${name} (other)`,
  }
  const signed = await client.exchange({ method: 'POST', url: `${appUrl()}/devices`, body })
  const made = signed.ok ? signed.value.data.device_token : undefined
  const other = isHeaderText(made) ? made : ''
  const result = await use(other)
  await client.exchange({ method: 'DELETE', url: `${appUrl()}/devices/self`, token: other })
  return result
}
