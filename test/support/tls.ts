import { createRandom } from '../../src-main/harness/random.ts'
import { issueServerCertificate, makeAuthority } from '../../src-main/tls/authority.ts'

const random = createRandom().stream('main', 'tls', 'test')

/** An authority and a certificate of it for these names. */
export const certificateFor = (names: readonly string[] = ['localhost', '127.0.0.1'], now = Date.now()) => {
  const authority = makeAuthority({ now, random })
  return { authority, server: issueServerCertificate(authority, { names, now, random }) }
}
