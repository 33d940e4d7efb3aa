import { createHmac } from 'node:crypto'
import type { RpRecord } from '../store/store.ts'

type HandleKey = Pick<RpRecord, 'handle_key'>

/** HMAC of the RP's random key: the same for the same text, and reveals neither text nor key. */
export const derivedFor = ({ handle_key }: HandleKey, text: string): string =>
  createHmac('sha256', Buffer.from(handle_key, 'base64url')).update(text).digest('base64url')

export const userHandle = (rp: HandleKey, userId: string): string => derivedFor(rp, userId)

/** For users without credentials: a credential ID that no phone has, and that does not change between two probes. */
export const decoyCredentialId = (rp: HandleKey, userId: string): string => derivedFor(rp, `decoy\0${userId}`)
