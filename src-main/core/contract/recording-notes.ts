import type { Coded, ParamsOf } from '../protocol/coded.ts'

type Call = { readonly target: string }
type MethodCall = Call & { readonly method: string }
type OfPhone = { readonly phone: string }
type Count = { readonly count: number }
type Changed = { readonly change: string }

/** Comments of a recorded scenario, in English. */
export const recordingNotes = {
  recorded: ({ workspace, from, to }: { workspace: string; from?: number; to?: number }) =>
    `Recorded in the workspace ${workspace}, ${from === undefined ? 'no events' : `events ${from} to ${to}`}. Play it again: npx handset run FILE.yaml`,

  messages_under_way: ({ count }: Count) =>
    `${count === 1 ? 'A message was' : `${count} messages were`} open when the recording began. What became of ${count === 1 ? 'it' : 'them'} is not recorded.`,
  earlier_passkey: ({ credential, username }: { credential: string; username: string }) =>
    `The passkey ${credential} of ${username} was registered before the first event that is kept.`,
  earlier_snapshot: 'The workspace was restored from a snapshot that is older than this recording.',

  // Things that no step can do.
  signed_otherwise: 'Signed with another secret: refused in the same way, whatever the mistake was.',
  unsigned_call: ({ method, target, refused }: MethodCall & { refused: number }) =>
    `${method} ${target} was refused with ${refused}. The RP of a scenario always signs correctly.`,
  unknown_call: ({ method, target }: MethodCall) =>
    `${method} ${target} has no step: it is not a call of the RP interface.`,
  sent_again: ({ method, target, edited, signing }: MethodCall & { edited: string; signing: string }) =>
    `${method} ${target} was sent again by hand (edited: ${edited || 'nothing'}; signed: ${signing}). No step does that.`,
  unusual_body: ({ target }: Call) => `${target} got a body that the RP of a scenario never sends.`,
  result_of_earlier: ({ target }: Call) => `The RP read the result of a message from before this recording: ${target}`,
  call_without_user: ({ target }: Call) => `${target} names no user.`,
  credentials_deleted: ({ count }: Count) => `An RP deleted ${count} credentials in one call. A step deletes one.`,
  foreign_answer_refused: ({ phone, word }: OfPhone & { word: string }) =>
    `The service refused an answer of the phone app ${phone}: ${word}. To make a phone answer like that, arm a fault: docs/faults.md.`,
  phone_with_earlier: ({ phone, did }: OfPhone & { did: string }) =>
    `${phone} did "${did}" with a message from before this recording.`,
  phone_problem: ({ phone, word }: OfPhone & { word: string }) =>
    `The phone ${phone} shows the problem "${word}", which has no step.`,
  root_changed: ({ change }: Changed) => `A root was ${change}. Its certificate is not in the events.`,
  user_changed: ({ change }: Changed) => `A user was ${change}, which has no step.`,
  access_key_changed: ({ change }: Changed) => `An access key was ${change}. The RPs of a scenario keep theirs.`,
  snapshot_changed: ({ change }: Changed) => `A snapshot was ${change}, which changes nothing in the workspace.`,
}

export type RecordingNote = Coded<ParamsOf<typeof recordingNotes>>
