import { writeFileSync } from 'node:fs'
import { realClock } from '../bench/harness/clock.ts'
import { checkCertificate } from '../bench/tls/given-certificate.ts'
import type { WantedTls } from '../bench/tls/tls-identity.ts'
import { trustStoreOf } from '../bench/tls/trust-store.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/messages/text.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { fileRefusal } from './data-folder.ts'
import { inFile } from './in-file.ts'
import type { serveOptions } from './option-tables/serving-options.ts'
import type { ParsedOptions } from './options.ts'
import type { OptionName } from './read-options.ts'

type TlsOptions = Pick<ParsedOptions<typeof serveOptions>, 'tls' | 'tls-cert' | 'tls-key' | 'tls-ca-out'>

export const parseTlsOptions = (
  options: TlsOptions,
  named: OptionName,
): Result<{ readonly tls?: WantedTls }, string> => {
  const { tls, 'tls-cert': certificate, 'tls-key': key, 'tls-ca-out': files = [] } = options
  const strange = files.find((file) => !isPem(file) && !isStore(file))
  if (strange !== undefined) {
    return err(
      `${named('tls-ca-out')} must end in .pem, .crt, .p12 or .pfx, which says what is written; got "${strange}".`,
    )
  }
  if (files.length > 0 && tls !== true) {
    return err(`${named('tls-ca-out')} writes the CA that --tls makes: give --tls.`)
  }
  if (tls === true) return ok({ tls: 'generated' })
  if (certificate === undefined && key === undefined) return ok({})
  if (certificate === undefined) return err(`${named('tls-key')} needs --tls-cert, the certificate of that key.`)
  if (key === undefined) return err(`${named('tls-cert')} needs --tls-key, the private key of that certificate.`)
  const chain = inFile(named('tls-cert'), certificate, ok)
  if (!chain.ok) return chain
  const secret = inFile(named('tls-key'), key, ok)
  if (!secret.ok) return secret
  const checked = checkCertificate({ certificate: chain.value, key: secret.value }, realClock.now())
  if (checked.ok) return ok({ tls: checked.value })
  const problem = checked.error
  const [option, file] = problem.of === 'key' ? ['tls-key', key] : ['tls-cert', certificate]
  return err(`${named(option)}: ${file}: ${textOf(en.certificateProblems, problem)}.`)
}

const isPem = (file: string): boolean => /\.(pem|crt)$/i.test(file)
const isStore = (file: string): boolean => /\.(p12|pfx)$/i.test(file)

/** Everybody may read them: a certificate is public. */
export const writeAuthority = (authority: string | undefined, files: readonly string[] = []): Result<null, string> => {
  if (authority === undefined) return ok(null)
  for (const file of files) {
    try {
      writeFileSync(file, isStore(file) ? trustStoreOf(authority) : authority)
    } catch (reason) {
      return err(`--tls-ca-out: ${file} cannot be written: ${fileRefusal(reason, file)}.`)
    }
  }
  return ok(null)
}
