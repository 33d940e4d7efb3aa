import { type Refusal, refuse } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Services } from '../services.ts'
import type { WorkspaceExport } from './console.ts'

const FORMAT = 'handset-workspace'

/** Of the tables in an export; it grows with the store's migrations. */
const VERSION = 1

export const exportOf = async ({ store, random }: Services, workspace: string): Promise<WorkspaceExport> => ({
  format: FORMAT,
  version: VERSION,
  tables: await store.rows(workspace),
  random: random.positions(workspace),
})

/** Only its outer form; whether the rows fit the tables is for the store to say. */
export const parseExport = (value: unknown): Result<WorkspaceExport, Refusal> => {
  const bad = (detail: string): Result<never, Refusal> => err(refuse('invalid_parameter', detail))
  if (!isObject(value) || value.format !== FORMAT) return bad(`Expected a JSON object with "format": "${FORMAT}".`)
  if (value.version !== VERSION) return bad(`Expected version ${VERSION}, got ${JSON.stringify(value.version)}.`)
  const { tables, random } = value
  if (!isObject(tables) || !Object.values(tables).every(isRows)) return bad('"tables" must hold lists of rows.')
  const positions = isObject(random) ? Object.values(random) : []
  if (!isObject(random) || !positions.every((n) => Number.isSafeInteger(n) && Number(n) >= 0)) {
    return bad('"random" must hold a position for each stream.')
  }
  return ok(value as WorkspaceExport)
}

/** The workspace becomes what the export says: rows, then what is kept in memory of them. */
export const takeOver = async (
  { store, random, settings, timers, inboxes }: Services,
  workspace: string,
  { tables, random: positions }: WorkspaceExport,
): Promise<Result<null, Refusal>> => {
  const replaced = await store.replaceRows(workspace, tables)
  if (!replaced.ok) return err(refuse('invalid_parameter', replaced.error))
  random.restore(workspace, positions)
  await settings.load(workspace)
  await timers.rearm(workspace)
  inboxes.end(workspace)
  return ok(null)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isRows = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((row) => isObject(row) && Object.values(row).every((cell) => cell === null || isScalar(cell)))

const isScalar = (cell: unknown): boolean => typeof cell === 'string' || typeof cell === 'number'
