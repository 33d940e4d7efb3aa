import type { Handlers } from './src-main/bench/control/handler.ts'
import type { Body, Data } from './src-main/core/contract/control/routes.ts'
import type { ErrorName } from './src-main/core/contract/errors.ts'
import type { Profile } from './src-main/core/contract/profile.ts'
import type { ControlClient } from './src-main/sdk/client.ts'

/** Compiles in the grown copy, and nowhere else. */
export const body: Body<'notes.add'> = { text: 'Hello' }
// @ts-expect-error: a number is no text
export const wrongBody: Body<'notes.add'> = { text: 7 }
export const length: Data<'notes.add'>['length'] = 5
export const name: ErrorName = 'teapot'
export const patience: Profile['patience'] = 3
// @ts-expect-error: a text is no number
export const wrongPatience: Profile['patience'] = 'much'
// @ts-expect-error: a route without a handler
export const noHandler: Handlers<'notes.add'> = {}
export const call = async (client: ControlClient): Promise<number> =>
  (await client.call('notes.add', { body: { text: 'Hello' } })).length
