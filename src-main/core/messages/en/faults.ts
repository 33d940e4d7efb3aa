import type { FaultTopic } from '../../contract/fault-advice.ts'

export const phoneFaultGroups: Readonly<Record<string, string>> = {
  'client data': 'Client data',
  'authenticator data': 'Authenticator data',
  attestation: 'Attestation',
  'assertion signature': 'Signature',
  protocol: 'Order of calls',
  transport: 'Network',
  time: 'Time',
  signal: 'Signals',
}

export const faultTopics: Readonly<Record<FaultTopic, string>> = {
  timeout: 'timeout timed out slow late hang stall delay wait expire',
  cancel: 'cancel abort reject decline deny user rejected dismiss',
  network: 'network offline connection http broken lost packet proxy gateway 502',
  signature: 'signature sign verify invalid bad key algorithm hmac',
  mismatch: '40104 signature_mismatch',
  phishing: 'phishing lookalike origin domain relay fake site',
  replay: 'replay repeat again twice clone counter nonce',
  identity: 'identity wrong user somebody else account takeover impersonate',
  encoding: 'encoding unicode charset base64 normalization case whitespace',
  malformed: 'malformed broken garbage corrupt json cbor parse invalid null missing',
  certificate: 'certificate x509 attestation chain root ca trust',
  injection: 'injection xss html script markup escape',
  clock: 'clock skew date time expired',
  rate: 'rate limit throttle too many 429 42901',
}
