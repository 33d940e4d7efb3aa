import { toBase64url } from '../../core/protocol/bytes.ts'
import { rememberByText } from '../../core/protocol/remember.ts'
import { hmacSha256 } from '../signing/hmac-sha256.ts'
import type { RpRecord } from '../store/records.ts'

type HandleKey = Pick<RpRecord, 'handle_key'>

const hmacOf = rememberByText((handleKey) => hmacSha256(Buffer.from(handleKey, 'base64url')))

const derive = ({ handle_key }: HandleKey, text: string): string =>
  toBase64url(Buffer.from(hmacOf(handle_key)(Buffer.from(text).toString('latin1')), 'hex'))

/** HMAC of the RP's random key: the same for the same user, and reveals neither user nor key. */
export const userHandle = (rp: HandleKey, userId: string): string => derive(rp, userId)

/** For users without credentials: a credential ID that no phone has, and that does not change between two probes. */
export const decoyCredentialId = (rp: HandleKey, userId: string): string => derive(rp, `decoy\0${userId}`)
