import { createRandom } from '../../src-main/bench/harness/random.ts'
import { issueServerCertificate, makeAuthority } from '../../src-main/bench/tls/tls-identity.ts'

const random = createRandom().stream('main', 'tls', 'test')

/** An authority and a certificate of it for these names. */
export const certificateFor = (names: readonly string[] = ['localhost', '127.0.0.1'], now = Date.now()) => {
  const authority = makeAuthority({ now, random })
  return { authority, server: issueServerCertificate(authority, { names, now, random }) }
}
