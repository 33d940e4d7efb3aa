import { toHex, utf8 } from '../protocol/bytes.ts'

/** TCG TPM Vendor ID Registry: up to four letters, filled with zeros. */
const VENDORS = [
  ...['AMD', 'ANT', 'ATML', 'BRCM', 'CSCO', 'FLYS', 'GOOG', 'HISI', 'HPE', 'HPI'],
  ...['IBM', 'IFX', 'INTC', 'LEN', 'MSFT', 'NSG', 'NSM ', 'NTC', 'NTZ', 'QCOM'],
  ...['ROCC', 'SECE', 'SEAL', 'SMSC', 'SMSN', 'SNS', 'STM ', 'TXN', 'WEC'],
]

const idOf = (vendor: string): string => `id:${toHex(utf8(vendor.padEnd(4, '\0'))).toUpperCase()}`

/** As the Subject Alternative Name of a TPM certificate writes them; the last is the FIDO Alliance's own, for tests. */
export const tpmManufacturers: ReadonlySet<string> = new Set([...VENDORS.map(idOf), 'id:FFFFF1D0'])
