/** TCG TPM Vendor ID Registry. */
const VENDORS: ReadonlySet<string> = new Set([
  ...['AMD', 'ANT', 'ATML', 'BRCM', 'CSCO', 'FLYS', 'GOOG', 'HISI', 'HPE', 'HPI'],
  ...['IBM', 'IFX', 'INTC', 'LEN', 'MSFT', 'NSG', 'NSM ', 'NTC', 'NTZ', 'QCOM'],
  ...['ROCC', 'SECE', 'SEAL', 'SMSC', 'SMSN', 'SNS', 'STM ', 'TXN', 'WEC'],
])

/** The FIDO Alliance's own, for tests. */
const OF_FIDO = 'FFFFF1D0'

/** Expects the form of a TPM certificate's Subject Alternative Name: up to four letters in hex, filled with zeros. */
export const isTpmManufacturer = (text: string): boolean => {
  const [, hex = ''] = /^id:([\da-f]{8})$/i.exec(text) ?? []
  const letters = hex.replace(/(00)+$/, '').replace(/../g, (octet) => String.fromCharCode(Number.parseInt(octet, 16)))
  return VENDORS.has(letters) || hex.toUpperCase() === OF_FIDO
}
