import { type FieldProblem, type Refusal, refuse, withinField } from '../../core/contract/errors.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { serviceDocument } from '../../core/contract/workspace-document.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { runInSlices } from '../../core/protocol/slices.ts'
import { followsRealTime, type KeptClock } from '../../core/protocol/time.ts'
import type { ExternalRows } from '../admin/admin.ts'
import type { Services } from '../services.ts'
import { quotaRefusal } from '../settings/limits.ts'
import { ABOUT_SETTING } from '../settings/stored-settings.ts'
import type { Rows, WorkspaceExport } from '../store/store.ts'
import { CLOCK_SETTING } from './kept-clocks.ts'
import { rowsProblem } from './row-rules.ts'

export const exportWorkspace = async ({ store, random }: Services, workspace: string): Promise<WorkspaceExport> => {
  const tables = await store.rows(workspace)
  return {
    format: 'handset-workspace',
    version: 1,
    tables: { ...tables, settings: stateSettings(tables) },
    random: random.positions(workspace),
  }
}

/** Checks the document's form, and every row by the rules for new rows: it may have been edited. */
export const parseExport = async (value: unknown): Promise<Result<WorkspaceExport, FieldProblem>> => {
  const problem =
    findProblem(value, serviceDocument) ?? (await runInSlices(rowsProblem((value as WorkspaceExport).tables)))
  return problem === undefined ? ok(value as WorkspaceExport) : err(withinField('service', problem))
}

type NewState = {
  readonly content: WorkspaceExport
  readonly clock: KeptClock | undefined
  readonly others: ExternalRows | undefined
}

/** Replaces a workspace with the export: rows, clock and other modules' data in one step, then what is in memory. */
export const replaceWorkspace = async (
  { store, random, settings, timers, inboxes, bin, open }: Services,
  workspace: string,
  { content, clock, others }: NewState,
): Promise<Result<null, Refusal>> => {
  const { tables, random: positions } = content
  const beyond = quotaRefusal(settings.about(workspace).quota ?? {}, tables)
  if (beyond !== undefined) return err(beyond)
  const kept = clock ?? (await store.settings.get(workspace, CLOCK_SETTING))
  const own = withoutUndefined({
    [CLOCK_SETTING]: clock !== undefined && followsRealTime(clock) ? undefined : kept,
    // Copied as stored: a newer version may have stored members unknown here.
    [ABOUT_SETTING]: await store.settings.get(workspace, ABOUT_SETTING),
  })
  const added = Object.entries(own).map(([name, value]) => ({ name, value: JSON.stringify(value) }))
  const rows = { ...tables, settings: [...stateSettings(tables), ...added] }
  const mark = open.get(workspace)
  const replaced = await store.replaceRows(workspace, rows, { ...others, isWanted: () => open.get(workspace) === mark })
  if (!replaced) return err(refuse('not_found', { code: 'workspace_closed' }))
  random.restore(workspace, positions)
  await settings.load(workspace)
  await timers.rearm(workspace)
  inboxes.end(workspace)
  // The objects in the bin belong to the replaced state.
  bin.forget(workspace)
  return ok(null)
}

/** The clock is exported separately, and `about` stays with the workspace. */
const stateSettings = ({ settings = [] }: Rows) =>
  settings.filter(({ name }) => name !== CLOCK_SETTING && name !== ABOUT_SETTING)
