import type { Coded, NoParams } from '../protocol/coded.ts'

type Call = { readonly target: string }
type MethodCall = Call & { readonly method: string }
type Changed = { readonly change: string }

export type RecordingNoteParams = {
  readonly recorded: { readonly workspace: string; readonly from?: number; readonly to?: number }

  readonly messages_under_way: { readonly count: number }
  readonly earlier_passkey: { readonly credential: string; readonly username: string }
  readonly earlier_snapshot: NoParams

  // Things that no step can do.
  readonly signed_otherwise: NoParams
  readonly unsigned_call: MethodCall & { readonly refused: number }
  readonly unknown_call: MethodCall
  readonly sent_again: MethodCall & { readonly edited: string; readonly signing: string }
  readonly unusual_body: Call
  readonly result_of_earlier: Call
  readonly call_without_user: Call
  readonly credentials_deleted: { readonly count: number }
  readonly foreign_answer_refused: { readonly phone: string; readonly word: string }
  readonly phone_with_earlier: { readonly phone: string; readonly did: string }
  readonly phone_problem: { readonly phone: string; readonly word: string }
  readonly root_changed: Changed
  readonly user_changed: Changed
  readonly access_key_changed: Changed
  readonly snapshot_changed: Changed
}

export type RecordingNote = Coded<RecordingNoteParams>
