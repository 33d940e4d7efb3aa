import type { RecordingNoteParams } from '../../contract/recording-notes.ts'
import type { TraceNote, TraceProblemParams } from '../../contract/trace.ts'
import type { Texts } from '../text.ts'

export const recordingNotes: Texts<RecordingNoteParams> = {
  recorded: ({ workspace, from, to }) =>
    `Recorded in the workspace ${workspace}, ${from === undefined ? 'no events' : `events ${from} to ${to}`}. Play it again: npx handset run FILE.yaml`,
  messages_under_way: ({ count }) =>
    `${count === 1 ? 'A message was' : `${count} messages were`} open when the recording began. What became of ${count === 1 ? 'it' : 'them'} is not recorded.`,
  earlier_passkey: ({ credential, username }) =>
    `The passkey ${credential} of ${username} was registered before the first event that is kept.`,
  earlier_snapshot: 'The workspace was restored from a snapshot that is older than this recording.',
  signed_otherwise: 'Signed with another secret: refused in the same way, whatever the mistake was.',
  unsigned_call: ({ method, target, refused }) =>
    `${method} ${target} was refused with ${refused}. The RP of a scenario always signs correctly.`,
  unknown_call: ({ method, target }) => `${method} ${target} has no step: it is not a call of the RP interface.`,
  sent_again: ({ method, target, edited, signing }) =>
    `${method} ${target} was sent again by hand (edited: ${edited || 'nothing'}; signed: ${signing}). No step does that.`,
  unusual_body: ({ target }) => `${target} got a body that the RP of a scenario never sends.`,
  result_of_earlier: ({ target }) => `The RP read the result of a message from before this recording: ${target}`,
  call_without_user: ({ target }) => `${target} names no user.`,
  credentials_deleted: ({ count }) => `An RP deleted ${count} credentials in one call. A step deletes one.`,
  foreign_answer_refused: ({ phone, word }) =>
    `The service refused an answer of the phone app ${phone}: ${word}. To make a phone answer like that, arm a fault: docs/faults.md.`,
  phone_with_earlier: ({ phone, did }) => `${phone} did "${did}" with a message from before this recording.`,
  phone_problem: ({ phone, word }) => `The phone ${phone} shows the problem "${word}", which has no step.`,
  root_changed: ({ change }) => `A root was ${change}. Its certificate is not in the events.`,
  user_changed: ({ change }) => `A user was ${change}, which has no step.`,
  access_key_changed: ({ change }) => `An access key was ${change}. The RPs of a scenario keep theirs.`,
  snapshot_changed: ({ change }) => `A snapshot was ${change}, which changes nothing in the workspace.`,
}

export const defaultTitles = {
  workspace: ({ workspace }: { readonly workspace: string }): string => `Workspace ${workspace}`,
}

/** Each follows the file's name. */
export const traceProblems: Texts<TraceProblemParams> = {
  no_trace: 'is not a trace of Handset.',
  newer: ({ version }) => `was written by a newer Handset, in format ${version}. Open it with that version.`,
  damaged: ({ events }) => `is damaged: it can be read up to event ${events} and no further.`,
  unfit: ({ line, field }) => `cannot be shown: in line ${line}, "${field}" is not what it must be.`,
  too_large: ({ bytes, events }) =>
    `holds more than can be shown: at most ${bytes / 1024 / 1024} MiB or ${events} events.`,
}

export const traceNotes: Readonly<Record<TraceNote, string>> = {
  began_earlier: 'It began earlier: the oldest events are left out.',
}
