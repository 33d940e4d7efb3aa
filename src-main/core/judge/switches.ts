/** All rules are strict unless they are named. */
export type JudgeSwitches = {
  /**
   * Accept CBOR that is not in CTAP2's canonical form: long numbers, unordered keys, tags, values without meaning.
   * Never duplicate keys.
   */
  readonly acceptNonCanonicalCbor?: boolean
  readonly acceptReservedFlags?: boolean
  /** Accept any tokenBinding: WebAuthn Level 3 reserves the name and does not define its value. */
  readonly acceptAnyTokenBinding?: boolean
  /** Accept fido-u2f attestations with an AAGUID that is not zero: the rule is FIDO's, not WebAuthn's. */
  readonly acceptU2fAaguid?: boolean
  /** Accept android-key attestations without the key's origin and purpose. Wrong origins stay refused. */
  readonly acceptAndroidKeyWithoutAuthorizations?: boolean
  /** Accept apple attestations that name the algorithm of the credential, as Apple's devices did in 2020 and 2021. */
  readonly acceptAppleAlg?: boolean
  /** Accept certificates whose signature claims unused bits, as those of Yubico's first Security Keys do. */
  readonly acceptSignatureUnusedBits?: boolean
  readonly acceptUnknownTpmManufacturer?: boolean
  /** Accept TPM names made with SHA-1, which the first TPMs of version 2.0 still did. */
  readonly acceptTpmSha1Names?: boolean
}
