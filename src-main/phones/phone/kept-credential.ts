import type { Credential } from '../authenticator/seams.ts'

/** A credential with its user's name for it; the form in which chip and cloud keep it. */
export type KeptCredential = { readonly name: string; readonly credential: Credential }

export const decodeKept = (json: string): KeptCredential => JSON.parse(json) as KeptCredential
