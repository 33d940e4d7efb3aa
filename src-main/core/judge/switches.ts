/** Rules that may be relaxed, each by its own name. All are strict unless they are named. */
export type JudgeSwitches = {
  /**
   * Accept CBOR that is not in CTAP2's canonical form: long numbers, unordered keys, tags, values without meaning.
   * Never duplicate keys.
   */
  readonly acceptNonCanonicalCbor?: boolean
  /** Accept authenticator data with reserved flag bits set. */
  readonly acceptReservedFlags?: boolean
  /** Accept a tokenBinding of any form: WebAuthn Level 3 reserves the name and says nothing of its value. */
  readonly acceptAnyTokenBinding?: boolean
  /** Accept fido-u2f attestations with an AAGUID that is not zero: the rule is FIDO's, not WebAuthn's. */
  readonly acceptU2fAaguid?: boolean
  /** Accept android-key attestations that say nothing of the key's origin and purpose. Other origins stay refused. */
  readonly acceptAndroidKeyWithoutAuthorizations?: boolean
  /** Accept apple attestations that name the algorithm of the credential, as Apple's devices did in 2020 and 2021. */
  readonly acceptAppleAlg?: boolean
  /** Accept certificates whose signature claims unused bits, as those of Yubico's first Security Keys do. */
  readonly acceptSignatureUnusedBits?: boolean
  /** Accept TPM certificates that name a manufacturer outside TCG's registry. */
  readonly acceptUnknownTpmManufacturer?: boolean
  /** Accept TPM names made with SHA-1, which the first TPMs of version 2.0 still did. */
  readonly acceptTpmSha1Names?: boolean
}
