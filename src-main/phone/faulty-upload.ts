import { makeMessageId } from '../protocol/ids.ts'
import { accountProof } from './account.ts'
import { msOf } from './armed-faults.ts'
import { dripping, hangingUp } from './conduct.ts'
import type { PhoneCore } from './phone-core.ts'
import type { StruckFault } from './phone-record.ts'
import type { Send } from './upload.ts'

type Bend = (core: PhoneCore, struck: StruckFault) => (next: Send) => Send

const otherKind = { registration: 'authentication', authentication: 'registration' } as const

/** Another device of the account, for one answer. */
const withAnotherDevice = async <T>(core: PhoneCore, use: (token: string | undefined) => Promise<T>): Promise<T> => {
  const { account, name } = core.record()
  const { name: accountName, phone, secret = '' } = account
  const proof = accountProof({ name: accountName, phone, secret })
  const { exchange } = core.ports.client
  const url = core.ports.appUrl()
  const body = { account: { name: accountName, phone, proof }, device_name: `${name} (another)` }
  const signed = await exchange({ method: 'POST', url: `${url}/devices`, body })
  const token = signed.ok ? signed.value.data.device_token : undefined
  if (typeof token !== 'string') return use(undefined)
  const result = await use(token)
  await exchange({ method: 'DELETE', url: `${url}/devices/self`, token })
  return result
}

const BENDS: Readonly<Record<string, Bend>> = {
  answer_twice: () => (next) => async (upload) => {
    const first = await next(upload)
    await next({ ...upload, body: { ...upload.body, again: true } })
    return first
  },
  answer_from_another_phone: (core) => (next) => (upload) =>
    withAnotherDevice(core, (token) => next(token === undefined ? upload : { ...upload, token })),
  answer_to_another_message:
    (core, { parameters }) =>
    (next) =>
    (upload) => {
      const other = core.record().prompts.find(({ prompt }) => prompt.msg_id !== upload.msgId)?.prompt.msg_id
      const given = parameters?.msg_id
      const msgId = typeof given === 'string' ? given : (other ?? makeMessageId(core.random('fault')))
      return next({ ...upload, msgId })
    },
  answer_of_wrong_ceremony: () => (next) => (upload) => next({ ...upload, kind: otherKind[upload.kind] }),
  slow_upload: (core, struck) => (next) => (upload) =>
    next({ ...upload, conduct: dripping(core.ports.wall, msOf(struck)) }),
  lost_response: () => (next) => (upload) => next({ ...upload, conduct: hangingUp }),
  duplicated_upload: () => (next) => async (upload) => {
    const [first] = await Promise.all([next(upload), next(upload)])
    return first
  },
}

/** What the struck faults make of sending, in the order in which they were armed. */
export const faultyUploads = (core: PhoneCore, struck: readonly StruckFault[]): readonly ((next: Send) => Send)[] =>
  struck.flatMap((one) => BENDS[one.fault]?.(core, one) ?? [])
