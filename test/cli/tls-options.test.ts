import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseTlsOptions, writeAuthority } from '../../src-main/cli/tls-options.ts'
import { trustStoreOf } from '../../src-main/tls/trust-store.ts'
import { folderOfFile } from '../support/temporary-folder.ts'
import { certificateFor } from '../support/tls.ts'

const folder = folderOfFile()
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const { authority, server } = certificateFor()
const cert = file('cert.pem', server.certificate)
const key = file('key.pem', server.key)
const otherKey = file('other-key.pem', certificateFor().server.key)
const named = (option: string): string => `--${option}`

describe('--tls', () => {
  test('[cli.tls] https comes with a certificate that is made, or with one that is given', () => {
    expect(parseTlsOptions({}, named)).toEqual({ ok: true, value: {} })
    expect(parseTlsOptions({ tls: true }, named)).toEqual({ ok: true, value: { tls: 'generated' } })
    expect(parseTlsOptions({ 'tls-cert': cert, 'tls-key': key }, named)).toEqual({ ok: true, value: { tls: server } })
  })

  test.each([
    ['a certificate without a key', { 'tls-cert': cert }, '--tls-cert'],
    ['a key without a certificate', { 'tls-key': key }, '--tls-key'],
    ['a file that is not there', { 'tls-cert': join(folder, 'none'), 'tls-key': key }, '--tls-cert'],
    ['a folder', { 'tls-cert': folder, 'tls-key': key }, '--tls-cert'],
    ['a key where the certificate should be', { 'tls-cert': key, 'tls-key': key }, '--tls-cert'],
    ['a key of another certificate', { 'tls-cert': cert, 'tls-key': otherKey }, '--tls-key'],
    [
      'a CA to be written where none is made',
      { 'tls-cert': cert, 'tls-key': key, 'tls-ca-out': ['a.pem'] },
      '--tls-ca-out',
    ],
    ['a CA file of no known kind', { tls: true, 'tls-ca-out': ['ca.txt'] }, '--tls-ca-out'],
  ] as const)('[cli.tls] %s is one line that begins with the option', (_, options, option) => {
    const parsed = parseTlsOptions(options, named)
    expect(parsed.ok ? '' : parsed.error.split(/[ :]/)[0]).toBe(option)
    expect(parsed.ok ? '' : parsed.error).not.toContain('\n')
  })

  test('[cli.tls] the CA is written as PEM and as PKCS12, by the file’s name', () => {
    const [pem, store] = [join(folder, 'ca.pem'), join(folder, 'ca.p12')]
    expect(writeAuthority(authority.certificate, [pem, store]).ok).toBe(true)
    expect(readFileSync(pem, 'utf8')).toBe(authority.certificate)
    expect(readFileSync(store)).toEqual(Buffer.from(trustStoreOf(authority.certificate)))
  })

  test('[cli.tls] a CA that cannot be written is a sentence', () => {
    expect(writeAuthority(authority.certificate, [join(folder, 'no/such/ca.pem')]).ok).toBe(false)
  })
})
