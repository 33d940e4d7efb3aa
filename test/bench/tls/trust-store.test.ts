import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { trustStoreOf } from '../../../src-main/bench/tls/trust-store.ts'
import { certificateFor } from '../../support/tls.ts'

const { authority } = certificateFor()
const store = trustStoreOf(authority.certificate)
const opened = (password: string) =>
  spawnSync('openssl', ['pkcs12', '-nokeys', '-passin', `pass:${password}`], { input: store, encoding: 'utf8' })

test('[cli.tls] OpenSSL finds the certificate in the trust store, and checks its password', () => {
  const { status, stdout } = opened('changeit')
  expect(status).toBe(0)
  expect(stdout).toContain(authority.certificate.trim())
  expect(opened('another').status).not.toBe(0)
})

test('[cli.tls] the trust store of a certificate is the same each time', () => {
  expect(trustStoreOf(authority.certificate)).toEqual(store)
})
