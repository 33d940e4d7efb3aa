import { SERVICE_FAULT_GROUPS, serviceFaultOf } from '../../contract/service-faults.ts'
import { en } from '../../messages/en/en.ts'
import { serviceFaultGroups } from '../../messages/en/service-faults.ts'
import type { FaultFinding } from '../../suite/walk.ts'
import { column, type Paint, paintFor, type Terminal } from '../terminal.ts'

const VERDICTS = {
  held: { text: 'held', paint: ({ green }: Paint) => green },
  broke: { text: 'broke', paint: ({ yellow }: Paint) => yellow },
  let_in: { text: 'LET SOMEBODY IN', paint: ({ red }: Paint) => red },
  skipped: { text: 'skipped', paint: ({ dim }: Paint) => dim },
} as const satisfies Readonly<Record<FaultFinding['verdict'], unknown>>

const VERDICT_WIDTH = 17

export const progressLine = (
  { fault, verdict }: FaultFinding,
  { done, of }: { readonly done: number; readonly of: number },
  { width }: Terminal,
): string => column(`${done} of ${of}  ${fault}: ${VERDICTS[verdict].text}`, width - 1).trimEnd()

/** Each fault with what became of the RP, and the counts. */
export const findingsText = (findings: readonly FaultFinding[], terminal: Terminal): string => {
  const paint = paintFor(terminal)
  const width = Math.max(...findings.map(({ fault }) => fault.length)) + 2
  const lines = SERVICE_FAULT_GROUPS.flatMap((group) => {
    const own = findings.filter(({ fault }) => serviceFaultOf(fault).group === group)
    if (own.length === 0) return []
    return [
      '',
      paint.bold(serviceFaultGroups[group]),
      ...own.flatMap((finding) => lineOf(finding, width, paint, terminal)),
    ]
  })
  return [...lines, '', countsText(findings, paint)].join('\n').trimStart()
}

const lineOf = (
  { fault, verdict, why }: FaultFinding,
  width: number,
  paint: Paint,
  terminal: Terminal,
): readonly string[] => {
  const { text, paint: painted } = VERDICTS[verdict]
  const head = `  ${painted(paint)(text.padEnd(VERDICT_WIDTH))}${fault.padEnd(width)}`
  const room = Math.max(20, terminal.width - VERDICT_WIDTH - width - 2)
  const line = head + paint.dim(column(en.serviceFaults[fault], room).trimEnd())
  if (verdict === 'held') return [line]
  const indent = ' '.repeat(VERDICT_WIDTH + 2)
  const careful = `A careful RP: ${en.carefulActs[serviceFaultOf(fault).act].replace(/^It /, 'it ')}.`
  return [line, `${indent}${printable(why)}`, ...(verdict === 'skipped' ? [] : [`${indent}${paint.dim(careful)}`])]
}

const countsText = (findings: readonly FaultFinding[], paint: Paint): string => {
  const counts = (Object.keys(VERDICTS) as (keyof typeof VERDICTS)[]).flatMap((verdict) => {
    const count = findings.filter((finding) => finding.verdict === verdict).length
    const { text, paint: painted } = VERDICTS[verdict]
    return count === 0 ? [] : [painted(paint)(`${count} ${text}`)]
  })
  return `${findings.length} faults: ${counts.join(', ')}`
}

/** What an RP says must not write what it likes on the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, 300)
