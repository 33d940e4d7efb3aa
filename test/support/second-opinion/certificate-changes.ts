import type { Dice } from '../../robustness/dice.ts'
import {
  ATTESTATION_NAME,
  C,
  type CertificateParts,
  CN,
  certificate,
  extension,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  name,
  O,
  OU,
} from '../ceremony/certificates.ts'
import { octets, sequence } from '../ceremony/der.ts'
import { testKey } from '../ceremony/keys.ts'
import { AAGUID } from '../ceremony/registration.ts'
import { damageBytes } from './damage.ts'

/** Past and future by every clock this runs under. */
const LONG_AGO = Date.UTC(2001, 0, 1)
const FAR_AHEAD = Date.UTC(2110, 0, 1)

/** One thing changed in a certificate, signed all the same. */
export const changeCertificate = (
  good: readonly { id: string; critical?: boolean; value: Uint8Array }[],
  dice: Dice,
): Partial<CertificateParts> =>
  dice.pick<() => Partial<CertificateParts>>([
    () => ({}),
    () => ({ version: 1, extensions: [] }),
    () => ({ version: 2 }),
    () => ({ notAfter: LONG_AGO, notBefore: LONG_AGO - 1000 }),
    () => ({ notBefore: FAR_AHEAD }),
    () => ({ subject: name() }),
    () => ({ subject: ATTESTATION_NAME }),
    () => ({ subject: name([C, 'NLD'], [O, 'H'], [OU, 'Authenticator Attestation'], [CN, 'x']) }),
    () => ({ subject: name([C, 'nl'], [O, 'H'], [OU, 'Authenticator Attestation'], [CN, 'x']) }),
    () => ({ subject: name([C, 'NL'], [O, 'H'], [OU, 'Other'], [CN, 'x']) }),
    () => ({ subject: name([C, 'NL'], [OU, 'Authenticator Attestation'], [CN, 'x']) }),
    () => ({ subject: name([C, 'NL'], [O, 'H'], [OU, 'Authenticator Attestation']) }),
    () => ({ extensions: [] }),
    () => ({ extensions: good.slice(1) }),
    () => ({ extensions: good.slice(0, -1) }),
    () => ({ extensions: [extension.constraints(true), ...good.slice(1)] }),
    () => ({ extensions: [...good, extension.aaguid(AAGUID)] }),
    () => ({ extensions: [...good, extension.aaguid(dice.bytes(16))] }),
    () => ({ extensions: [...good, extension.aaguid(AAGUID, true)] }),
    () => ({ extensions: [...good, { id: '1.3.6.1.4.1.45724.1.1.4', value: AAGUID }] }),
    () => ({ extensions: [...good, { id: '1.2.3.4', critical: true, value: octets(dice.bytes(3)) }] }),
    () => ({ extensions: [...good, { id: '1.2.3.4', value: octets(dice.bytes(3)) }] }),
    () => ({ extensions: [...good, extension.authorityKeyIdentifier(dice.bytes(20))] }),
    () => ({ extensions: good.map((item) => ({ ...item, value: damageBytes(item.value, dice) })) }),
    () => ({ key: testKey(-7, 'other') }),
    () => ({ spki: sequence() }),
    () => ({ signature: (signature) => damageBytes(signature, dice) }),
  ])()

/** Chains above a leaf: whole, short, long, out of order, from somebody else. */
export const changeChain = (
  leaf: (changes: Partial<CertificateParts>) => Uint8Array,
  { dice, root }: { readonly dice: Dice; readonly root: Uint8Array },
): readonly Uint8Array[] => {
  const below = { issuer: INTERMEDIATE_NAME, signer: intermediateKey() }
  const good = leaf(below)
  const other = testKey(-7, 'other')
  return dice.pick<() => readonly Uint8Array[]>([
    () => [good, intermediateCertificate()],
    () => [good, intermediateCertificate(), root],
    () => [good],
    () => [leaf({})],
    () => [leaf({}), root],
    () => [intermediateCertificate(), good],
    () => [good, root, intermediateCertificate()],
    () => [good, intermediateCertificate(), certificate()],
    () => [good, good],
    () => [],
    () => [leaf({ issuer: INTERMEDIATE_NAME, signer: other }), intermediateCertificate()],
    () => [good, intermediateCertificate({ key: other })],
    () => [good, intermediateCertificate({ notAfter: LONG_AGO, notBefore: LONG_AGO - 1000 })],
    () => [good, intermediateCertificate({ notBefore: FAR_AHEAD })],
    () => [good, intermediateCertificate({ extensions: [extension.constraints(false)] })],
    () => [good, intermediateCertificate({ extensions: [extension.constraints(true), extension.keyUsage(0x80)] })],
    () => [good, intermediateCertificate({ extensions: [] })],
    () => [good, intermediateCertificate({ signature: (signature) => damageBytes(signature, dice) })],
    () => [damageBytes(good, dice), intermediateCertificate()],
    () => [good, damageBytes(intermediateCertificate(), dice)],
    () => [
      leaf({ extensions: [extension.constraints(false), extension.authorityKeyIdentifier(dice.bytes(4))], ...below }),
      intermediateCertificate({
        extensions: [extension.constraints(true), extension.subjectKeyIdentifier(dice.bytes(4))],
      }),
    ],
  ])()
}
