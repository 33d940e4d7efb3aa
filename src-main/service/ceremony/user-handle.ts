import { createHmac, createSecretKey } from 'node:crypto'
import { rememberByObject } from '../../core/protocol/remember.ts'
import type { RpRecord } from '../store/store.ts'

type HandleKey = Pick<RpRecord, 'handle_key'>

/** Decoded once for a record: a look-up by ID returns the same record of an RP until it changes. */
const keyOf = rememberByObject(({ handle_key }: HandleKey) => createSecretKey(handle_key, 'base64url'))

/** HMAC of the RP's random key: the same for the same text, and reveals neither text nor key. */
export const deriveForRp = (rp: HandleKey, text: string): string =>
  createHmac('sha256', keyOf(rp)).update(text).digest('base64url')

export const userHandle = (rp: HandleKey, userId: string): string => deriveForRp(rp, userId)
