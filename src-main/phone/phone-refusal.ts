/** Everything a phone can refuse or show as a problem: a stable word for scripts, a plain sentence for a person. */
export const phoneWords = {
  no_such_phone: 'There is no such phone.',
  no_such_prompt: 'This phone is not being asked that.',
  no_such_notification: 'This phone has no such notification.',
  no_such_credential: 'This phone has no such credential.',
  no_such_account: 'There is no such phone to take the account from.',
  no_such_fault: 'There is no fault of this name.',
  invalid_name: 'A name has 1 to 64 characters and none that cannot be seen.',
  invalid_number: 'A phone number has 3 to 20 digits and may begin with a plus.',
  invalid_behaviour: 'This is not a way in which a phone can behave.',
  invalid_storage: 'A credential is kept in the chip or in the cloud.',
  invalid_fault: 'A fault is armed for 1 to 1000 attempts, or with a probability from 0 to 1.',
  fault_not_felt: 'This phone cannot get this wrong.',
  unknown_model: 'There is no phone of this model.',
  unknown_algorithm: 'A phone of this model cannot make keys of this algorithm.',
  too_many_phones: 'There is no room for more phones here.',
  lost: 'This phone is lost.',
  offline: 'This phone is offline.',
  signed_out: 'This phone is signed out.',
  already_signed_in: 'This phone is signed in already.',
  unreadable_picture: 'The camera cannot read this picture. It reads PNG and JPEG.',
  no_code: 'There is no QR code in this picture.',
  not_ours: 'This code is not a sign-in code.',
  foreign_code: 'This code belongs to another service.',
  unreachable: 'The service cannot be reached.',
  timed_out: 'The service did not answer in time.',
  garbled: 'The service answered something that this phone does not understand.',
  service_refused: 'The service refused.',
  account_taken: 'This account exists already, and this phone does not have its secret.',
  message_not_found: 'This request does not exist, or not any more.',
  bound_elsewhere: 'Another phone has scanned this code.',
  expired: 'This request has expired.',
  wrong_state: 'This request cannot be answered any more.',
  answered_differently: 'This request was answered differently before.',
  no_origin: 'The site behind this request has no address that the phone could sign for.',
  no_matching_credential: 'This phone has no credential for this sign-in.',
  already_registered: 'This phone has a credential for this account already.',
  unsupported_algorithm: 'This phone has none of the signature algorithms that the site accepts.',
  cannot_authenticate: 'This phone cannot do what the site asks.',
  user_rejected: 'You said no.',
  fingerprint_failed: 'The fingerprint was not recognised.',
  vault_missing: 'This account was made without a secret and has no cloud storage.',
  vault_conflict: 'Another phone of the account changed this credential at the same time.',
  vault_unreadable: 'The cloud gave back something that this account did not seal.',
  not_accepted: 'The service did not accept the answer.',
  app_killed: 'The app was closed before it could answer.',
  not_saved: 'The phone could not be saved; what it did since is in memory only.',
  busy: 'The phone is answering this already.',
  closed: 'The phones are being switched off.',
} as const satisfies Record<string, string>

export type PhoneWord = keyof typeof phoneWords

export type PhoneRefusal = {
  readonly word: PhoneWord
  /** The sentence of the word, and what was got where that helps. Shown as it is. */
  readonly text: string
  /** The envelope's code when it was the service that refused. */
  readonly code?: number
  /** Not the way there or back, but the phone's own authenticator: it will not answer this at all. */
  readonly by?: 'authenticator'
}

export const refusePhone = (
  word: PhoneWord,
  more?: { readonly detail?: string; readonly code?: number },
): PhoneRefusal => ({
  word,
  text: more?.detail === undefined || more.detail === '' ? phoneWords[word] : `${phoneWords[word]} ${more.detail}`,
  ...(more?.code === undefined ? {} : { code: more.code }),
})
