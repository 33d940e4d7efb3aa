import { readMutants } from './mutant.ts'

/** Ways in which a service could be wrong. */
export const serviceMutants = readMutants(`
src-main/core/judge/shared-steps.ts
any challenge is accepted: forged/replayed-answer.yaml
-  if (member.value === wanted) return undefined
-  return { word: respell
+  if (member.value !== '') return undefined
+  return { word: respell
any origin is accepted: forged/registration.yaml
-rule.wanted.includes(member.value) ?
+member.value.length > 0 ?
a frame of another site may ask: forged/registration.yaml
-topOrigins.length > 0 ? undefined : { word: 'cross_origin_not_allowed', expected: 'false' }
+topOrigins.length > 0 ? undefined : undefined
the RP ID hash is not compared: forged/registration.yaml
-equalBytes(hash, rpIdHash) ?
+equalBytes(hash, hash) ?
the user need not be there: forged/sign-in.yaml
-steps.userPresence, flags.userPresent,
+steps.userPresence, true,
the user need not be verified: forged/verification-required.yaml
-steps.userVerification, flags.userVerified,
+steps.userVerification, true,

src-main/core/judge/judge-authentication.ts
a wrong signature is accepted: forged/sign-in.yaml
-return [{ word: 'signature_invalid', at }]
+return []
a counter may stand still: forged/cloned-phone.yaml
-signCount <= stored.signCount
+signCount < stored.signCount
the user handle is not compared: forged/sign-in.yaml
-handle !== undefined && handle !== input.expectedUserHandle
+handle === input.response

src-main/service/ceremony/bind.ts
a second phone may take a scanned code: refusal/second-phone-comes-too-late.yaml
-if (device !== undefined && device !== caller.device.id) return err(refuse('bound_elsewhere'))
an expired code is not told from one that was answered: expiry/too-late-to-scan.yaml
-if (state === 'timeout') return err(refuse('message_expired'))
any phone may answer a scanned message: forged/another-phone-answers.yaml
-if (message.device !== undefined && message.device !== device.id) return err(refuse('bound_elsewhere'))
an unscanned message can be answered: forged/never-scanned.yaml
-if (message.state === 'init') return err(refuse('wrong_state', { code: 'message_not_bound' }))
the user’s number is not masked: registration/by-qr-code.yaml
-if (phone.length >= 10) return
+if (phone.length >= 10) return phone
+  if (phone.length >= 10) return

src-main/service/messages/message-timers.ts
a result is kept for an hour and more: expiry/unread-result.yaml
-const KEPT_MS = 10 * 60_000
+const KEPT_MS = 100 * 60_000

src-main/service/messages/read-result.ts
a final result is told again and again: registration/result-is-read-once.yaml
-if (message.delivered_at !== undefined) return repeatable
+if (message.delivered_at !== undefined) return true
the profile cannot make results repeatable: registration/result-can-be-repeated.yaml
-if (message.delivered_at !== undefined) return repeatable
+if (message.delivered_at !== undefined) return false
a failed sign-in names the user: refusal/user-says-no.yaml
-user_id: message.state === 'success' ? message.user_id : '' })
+user_id: message.user_id })

src-main/service/ceremony/answer.ts
the phone’s reason is lost: refusal/reason.yaml
-WORD.test(reason) ? reason :
+WORD.test(reason) ? 'user_rejected' :

src-main/service/messages/begin-ceremony.ts
an unknown user can begin a sign-in: sign-in/unknown-user.yaml
-context.profile.unknown_user === 'refuse'
+context.profile.unknown_user === undefined
a user may register any number of phones: registration/too-many-credentials.yaml
-const limit = context.profile.credentials_per_user
+const limit = 1000

src-main/service/inbox/deliver-pushes.ts
a push goes to every phone of the account: sign-in/push-reaches-only-the-phone-with-the-key.yaml
-if (storage === 'chip') ids.add(device)
+if (device === '') ids.add(device)
a push goes only to the phone that registered: sign-in/push-reaches-every-phone-of-the-account.yaml
-if (storage === 'chip') ids.add(device)
+if (storage === 'chip' || storage === 'cloud') ids.add(device)

src-main/core/judge/certificate-chain.ts
any certificate may issue others: forged/attestation.yaml
-typeof constraints !== 'object' || !constraints.ca) return
+typeof constraints !== 'object') return

src-main/service/signing/authenticate.ts
the short form is refused, though the profile accepts it: registration/short-form.yaml
-if (profile.authorization_forms.includes(form)) return parsed
+if (form === 'general') return parsed
a call without a signature is let in: several-rps/unsigned-call.yaml
-if (text === undefined) return err(refuse('no_authorization'))
+if (text === undefined) return err(refuse('malformed_authorization', { code: 'header_repeated' }))

src-main/service/conditions/apply-conditions.ts
conditions fail with a code of their own choice: conditions/fails-as-told.yaml
-errorNameOf(own.fail_code) ?? 'fault_injected'
+'fault_injected'
an answer that is to be lost arrives: conditions/lost-result.yaml
-? { ...response, lost: true } : response
+? response : response

src-main/service/messages/begin-ceremony.ts
the profile cannot say how long a message lives: expiry/own-lifetime.yaml
-context.profile.message_ttl_s) * 1000
+180) * 1000

src-main/service/credentials/credentials.ts
an RP sees the credentials of another’s users: several-rps/users-are-apart.yaml
-credentials.list(context.workspace, { rp: rp.id, user_id })
+credentials.list(context.workspace, { user_id })
an RP deletes nothing and says that it did: credentials/deleted-by-the-rp.yaml
-{ rp: rp.id, user_id, ids })
+{ rp: rp.id, user_id, ids: [] })
`)
