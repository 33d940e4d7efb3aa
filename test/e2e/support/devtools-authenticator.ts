import type { Page } from '@playwright/test'

export type VirtualAuthenticator = {
  readonly credentials: () => Promise<readonly { readonly id: string }[]>
}

/** A phone of today: passkeys in the device, and a finger on it. */
const PHONE = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
} as const

const KINDS = {
  platform: PHONE,
  /** The same with passkeys that are backed up. */
  synced: { ...PHONE, defaultBackupEligibility: true, defaultBackupState: true },
  /** A key at the port that can neither store nor recognise. */
  plainKey: { protocol: 'ctap2', transport: 'usb' },
  /** The oldest one: CTAP1. */
  u2fKey: { protocol: 'u2f', transport: 'usb' },
} as const

export type AuthenticatorKind = keyof typeof KINDS

/** The browser's own authenticator, as its DevTools make one; every touch comes by itself. */
export const addAuthenticator = async (page: Page, kind: AuthenticatorKind): Promise<VirtualAuthenticator> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: KINDS[kind] })
  return {
    credentials: async () => {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.map(({ credentialId }) => ({ id: Buffer.from(credentialId, 'base64').toString('base64url') }))
    },
  }
}
