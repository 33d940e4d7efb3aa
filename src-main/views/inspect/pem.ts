import { fromBase64 } from '../../core/judge/base64.ts'
import { type Certificate, decodeCertificate } from '../../core/judge/certificate.ts'
import { certificateFound } from './certificates.ts'
import type { Bench, Found } from './inspection.ts'

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g

/** A chain has a few; a bundle of roots is looked at so far. */
const MOST_CERTIFICATES = 100

/** RFC 7468: one block, or the certificates of a chain. */
export const pemFound = async (text: string, bench: Bench): Promise<Found | undefined> => {
  if (!text.includes('-----BEGIN ')) return undefined
  const blocks = [...text.matchAll(BLOCK)].map(([, label = '', body = '']) => ({
    label,
    bytes: fromBase64(body.replace(/\s+/g, '')),
  }))
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) return { kind: 'private-key' }
  const certificates = blocks.slice(0, MOST_CERTIFICATES).flatMap(({ label, bytes }): readonly Certificate[] => {
    const decoded = label.endsWith('CERTIFICATE') && bytes !== undefined ? decodeCertificate(bytes) : undefined
    return decoded?.ok === true ? [decoded.value] : []
  })
  if (certificates.length > 0 && certificates.length === Math.min(blocks.length, MOST_CERTIFICATES))
    return certificateFound(certificates, bench)
  const [first] = blocks
  if (first?.label.endsWith('CERTIFICATE REQUEST') === true) return { kind: 'certificate-request' }
  const inner = first?.bytes === undefined ? undefined : await bench.inspect(first.bytes, ['PEM'])
  if (inner !== undefined) return inner
  return {
    kind: 'pem',
    facts: [['label', first?.label ?? 'none']],
    checks: [{ name: 'pem_unreadable', outcome: 'failed' }],
    verdict: 'refused',
  }
}
