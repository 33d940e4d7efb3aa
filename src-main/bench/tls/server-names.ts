import { isIP, isIPv4 } from 'node:net'
import { utf8 } from '../../core/protocol/bytes.ts'
import type { CertificateExtension } from '../../phones/authenticator/attestation/attestation-authority.ts'
import { sequence, taggedPrimitive } from '../../phones/authenticator/der.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '::1']
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** All names of the bench for its clients: hosts and further names, without ports and brackets. */
export const serverNames = ({
  hosts,
  allowHosts = [],
  machineNames,
}: {
  readonly hosts: readonly string[]
  readonly allowHosts?: readonly string[]
  /** Used when the bench listens on all interfaces. */
  readonly machineNames: () => readonly string[]
}): readonly string[] => {
  const others = hosts.some((host) => EVERYWHERE.has(host)) ? machineNames() : []
  const given = [...hosts.filter((host) => !EVERYWHERE.has(host)), ...allowHosts].map(hostIn)
  return [...new Set([...LOOPBACK, ...given, ...others].map((name) => name.toLowerCase()))]
}

/** The name in `name:port`, the address in `[address]:port`. */
const hostIn = (text: string): string =>
  isIP(text) > 0 ? text : (/^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/:\d+$/, ''))

/** RFC 5280 §4.2.1.6: [2] a name, [7] an address. */
export const subjectAlternativeNames = (names: readonly string[]): CertificateExtension => ({
  oid: '2.5.29.17',
  critical: false,
  value: sequence(
    ...names.map((name) => (isIP(name) > 0 ? taggedPrimitive(7, addressOctets(name)) : taggedPrimitive(2, utf8(name)))),
  ),
})

const addressOctets = (address: string): Uint8Array => {
  if (isIPv4(address)) return Uint8Array.from(address.split('.').map(Number))
  // The URL parser turns every spelling, even with an IPv4 tail, into hexadecimal groups.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groupsOf = (text = ''): readonly number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const groups = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]))
}
