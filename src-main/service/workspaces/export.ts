import { type Refusal, refuse, refuseField } from '../../contract/errors.ts'
import { type FieldProblem, unknownMember, within } from '../../protocol/field-problem.ts'
import { isObject } from '../../protocol/json.ts'
import { followsReal, type KeptClock } from '../../protocol/kept-clock.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { inSlices } from '../../protocol/slices.ts'
import type { OthersRows, WorkspaceExport } from '../admin/admin.ts'
import type { Services } from '../services.ts'
import { rowsProblem } from './check-rows.ts'
import { CLOCK } from './kept-clocks.ts'

const FORMAT = 'handset-workspace'

/** Of the tables in an export; it grows with the store's migrations. */
const VERSION = 1

export const exportOf = async ({ store, random }: Services, workspace: string): Promise<WorkspaceExport> => ({
  format: FORMAT,
  version: VERSION,
  tables: withSettings(await store.rows(workspace), (name) => name !== CLOCK),
  random: random.positions(workspace),
})

/** Whatever somebody made of a document: its form, and every row by the rules by which rows are made. */
export const parseExport = async (value: unknown): Promise<Result<WorkspaceExport, Refusal>> => {
  const bad = (problem: FieldProblem): Result<never, Refusal> => err(refuseField(within('service', problem)))
  if (!isObject(value)) return err(refuseField({ field: 'service', text: 'Expected an object.' }))
  const { format, version, tables, random } = value
  if (format !== FORMAT) return bad({ field: 'format', text: `Expected "${FORMAT}".` })
  if (version !== VERSION) return bad({ field: 'version', text: `Expected ${VERSION}.` })
  const stranger = unknownMember(value, ['format', 'version', 'tables', 'random'])
  if (stranger !== undefined) return bad(stranger)
  if (!isObject(tables)) return bad({ field: 'tables', text: 'Expected an object of lists of rows.' })
  const problem = await inSlices(rowsProblem(tables))
  if (problem !== undefined) return bad(problem)
  if (!isObject(random)) return bad({ field: 'random', text: 'Expected an object of positions.' })
  const wrong = Object.entries(random).find(([, position]) => !isPosition(position))
  if (wrong !== undefined)
    return bad({ field: `random.${wrong[0]}`, text: `Expected a position from 0 to ${LAST_POSITION}.` })
  return ok(value as WorkspaceExport)
}

type NewState = {
  readonly content: WorkspaceExport
  readonly clock: KeptClock | undefined
  readonly others: OthersRows | undefined
}

/** The workspace becomes what the export says: rows, clock and what others keep in one step, then what is kept in memory of them. */
export const takeOver = async (
  { store, random, settings, timers, inboxes, bin, open }: Services,
  workspace: string,
  { content, clock, others }: NewState,
): Promise<Result<null, Refusal>> => {
  const { tables, random: positions } = content
  const withoutClock = withSettings(tables, (name) => name !== CLOCK)
  const kept = clock ?? (await store.settings.get(workspace, CLOCK))
  const own =
    kept === undefined || (clock !== undefined && followsReal(clock))
      ? []
      : [{ name: CLOCK, value: JSON.stringify(kept) }]
  const rows = { ...tables, settings: [...(withoutClock.settings ?? []), ...own] }
  const mark = open.get(workspace)
  const replaced = await store.replaceRows(workspace, rows, { ...others, isWanted: () => open.get(workspace) === mark })
  if (!replaced.ok) {
    const { error } = replaced
    return err(error === 'gone' ? refuse('not_found', CLOSED) : refuseField(within('service', error)))
  }
  random.restore(workspace, positions)
  await settings.load(workspace)
  await timers.rearm(workspace)
  inboxes.end(workspace)
  // What was deleted there was deleted from another state than this one.
  bin.forget(workspace)
  return ok(null)
}

const CLOSED = 'The workspace was closed meanwhile.'

type Tables = WorkspaceExport['tables']

const withSettings = (tables: Tables, wanted: (name: unknown) => boolean): Tables => ({
  ...tables,
  settings: (tables.settings ?? []).filter(({ name }) => wanted(name)),
})

/** Far more than anybody draws, and far from where numbers stop counting by one. */
const LAST_POSITION = 2 ** 48

const isPosition = (n: unknown): boolean => Number.isSafeInteger(n) && Number(n) >= 0 && Number(n) <= LAST_POSITION
