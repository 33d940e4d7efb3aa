import type { Bytes } from '../protocol/bytes.ts'
import type { Finding } from './check-list.ts'
import {
  binaryMember,
  type CredentialJson,
  kindFindings,
  optionalBinaryMember,
  parseCredentialJson,
} from './response-json.ts'

export type AuthenticationJson = CredentialJson & {
  readonly clientDataJSON?: Bytes
  readonly authenticatorData?: Bytes
  readonly signature?: Bytes
  readonly userHandle?: Bytes
  /** About the members of `response`. */
  readonly members: readonly Finding[]
}

/** The readable part of an AuthenticationResponseJSON (WebAuthn §5.1.7). */
export const parseAuthenticationJson = (value: unknown): AuthenticationJson => {
  const credential = parseCredentialJson(value)
  const { response } = credential
  if (response === undefined) {
    return { ...credential, members: [{ word: 'response_member_missing', expected: 'response' }] }
  }
  const members = kindFindings(response, 'authentication')
  const clientDataJSON = binaryMember(response, 'clientDataJSON', members)
  const authenticatorData = binaryMember(response, 'authenticatorData', members)
  const signature = binaryMember(response, 'signature', members)
  const userHandle = optionalBinaryMember(response, 'userHandle', members)
  return {
    ...credential,
    ...(clientDataJSON && { clientDataJSON }),
    ...(authenticatorData && { authenticatorData }),
    ...(signature && { signature }),
    ...(userHandle && { userHandle }),
    members,
  }
}
