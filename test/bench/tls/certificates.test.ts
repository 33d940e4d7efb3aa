import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkCertificate } from '../../../src-main/bench/tls/given-certificate.ts'
import { serverNames } from '../../../src-main/bench/tls/tls-identity.ts'
import { createTrustStore } from '../../../src-main/bench/tls/trust-store.ts'
import { certificateFor } from '../../support/tls.ts'

const NOW = Date.UTC(2030, 0, 1)

test('[cli.tls] the certificate of --tls: it names localhost, every host and every further name, without ports', () => {
  const hosts = ['192.0.2.7', 'bench.example', '2001:DB8::7']
  const names = serverNames({ hosts, allowHosts: ['handset:7420', '[2001:db8::8]:80'], machineNames: () => ['no'] })
  expect(names).toEqual([
    ...['localhost', '127.0.0.1', '::1', '192.0.2.7', 'bench.example', '2001:db8::7', 'handset', '2001:db8::8'],
  ])
  const leaf = new X509Certificate(certificateFor(names).server.certificate)
  for (const name of ['localhost', 'bench.example', 'handset']) expect(leaf.checkHost(name)).toBe(name)
  for (const address of ['127.0.0.1', '::1', '192.0.2.7', '2001:db8::7', '2001:db8::8']) {
    expect(leaf.checkIP(address), address).toBe(address)
  }
  expect(leaf.checkHost('shop.example')).toBeUndefined()
  expect(leaf.checkIP('192.0.2.8')).toBeUndefined()
})

test.each(['::', '::ffff:192.0.2.1', '1::', 'fe80::1:2', '1:2:3:4:5:6:7:8'])(
  '[cli.tls] the certificate of --tls: %s is an address in it',
  (address) => {
    expect(new X509Certificate(certificateFor([address]).server.certificate).checkIP(address)).toBe(address)
  },
)

test('[cli.tls] the certificate of --tls: a bench on all addresses names those of the machine', () => {
  const machineNames = () => ['box', '192.0.2.9']
  expect(serverNames({ hosts: ['0.0.0.0'], machineNames })).toEqual([
    ...['localhost', '127.0.0.1', '::1', 'box', '192.0.2.9'],
  ])
})

test('[cli.tls] the certificate of --tls: its issuer is an authority that may issue nothing but servers’ certificates', () => {
  const { authority, server } = certificateFor()
  const [leaf, root] = [new X509Certificate(server.certificate), new X509Certificate(authority.certificate)]
  expect(leaf.checkIssued(root) && leaf.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true)
  expect([root.ca, leaf.ca]).toEqual([true, false])
})

const { server } = certificateFor(['localhost'], NOW)
const problemOf = (given: { readonly certificate: string; readonly key: string }, now = NOW) => {
  const checked = checkCertificate(given, now)
  return checked.ok ? undefined : `${checked.error.of} ${checked.error.code}`
}

test('[cli.tls] a certificate that was given: it is taken with its key, while it is valid', () => {
  expect(checkCertificate(server, NOW)).toEqual({ ok: true, value: server })
})

test.each([
  ['no certificate', { ...server, certificate: 'nothing' }, NOW, 'certificate no_certificate'],
  ['a key instead of a certificate', { ...server, certificate: server.key }, NOW, 'certificate no_certificate'],
  ['no key', { ...server, key: 'nothing' }, NOW, 'key no_private_key'],
  ['the key of another certificate', { ...server, key: certificateFor().server.key }, NOW, 'key key_of_another'],
  ['one that has expired', server, NOW + 400 * 86_400_000, 'certificate certificate_expired'],
  ['one that is not valid yet', server, NOW - 2 * 86_400_000, 'certificate certificate_not_yet'],
])('[cli.tls] a certificate that was given: %s is refused', (_, given, now, problem) => {
  expect(problemOf(given, now)).toBe(problem)
})

const { authority } = certificateFor()
const store = createTrustStore(authority.certificate)
const opened = (password: string) =>
  spawnSync('openssl', ['pkcs12', '-nokeys', '-passin', `pass:${password}`], { input: store, encoding: 'utf8' })

test('[cli.tls] OpenSSL finds the certificate in the trust store, and checks its password', () => {
  const { status, stdout } = opened('changeit')
  expect(status).toBe(0)
  expect(stdout).toContain(authority.certificate.trim())
  expect(opened('another').status).not.toBe(0)
})

test('[cli.tls] the trust store of a certificate is the same each time', () => {
  expect(createTrustStore(authority.certificate)).toEqual(store)
})
