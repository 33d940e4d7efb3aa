import { FAULT_NAMES, type FaultName } from '../core/contract/faults.ts'
import { en } from '../core/messages/en/en.ts'
import type { FaultOutcome } from '../phones/authenticator/faults/fault.ts'
import { describeFault, FAULTS } from '../phones/authenticator/faults.ts'
import { makeCommand } from './command.ts'
import { paintFor, type Terminal } from './terminal.ts'

export const faults = makeCommand(
  {
    name: 'faults',
    usage: '[WORD…] [OPTIONS]',
    more: [
      'Each line says what a correct service shows.',
      'With words, only the faults whose line has all of them: handset faults origin registration',
    ],
  },
  async ({ options, positionals }, { terminal }) => {
    const words = positionals.map((word) => word.toLowerCase())
    const chosen = FAULT_NAMES.map(described).filter((fault) => {
      const line = JSON.stringify(fault).toLowerCase()
      return words.every((word) => line.includes(word))
    })
    terminal.out(options.json === true ? JSON.stringify(chosen) : asText(chosen, terminal))
    return 0
  },
)

const described = (name: FaultName) => ({ ...describeFault(FAULTS[name]), title: en.faults[name] })

type Described = ReturnType<typeof described>

const asText = (chosen: readonly Described[], terminal: Terminal): string => {
  const { bold, dim, blue } = paintFor(terminal)
  if (chosen.length === 0) return 'No fault has these words.'
  const width = Math.max(...chosen.map(({ name }) => name.length)) + 2
  const bySeam = Map.groupBy(chosen, ({ seam }) => seam)
  const lines = [...bySeam].flatMap(([seam, faultsThere]) => [
    '',
    bold(`${seam[0]?.toUpperCase()}${seam.slice(1)}`) + dim(`  ${faultsThere.length}`),
    ...faultsThere.flatMap((fault) => [
      `  ${blue(fault.name.padEnd(width))}${fault.title}`,
      `  ${' '.repeat(width)}${dim(`${CEREMONIES[fault.ceremony]} → ${outcomeText(fault.expected)}`)}`,
    ]),
  ])
  return [...lines, '', `${chosen.length} of ${FAULT_NAMES.length} faults`].join('\n').trimStart()
}

const CEREMONIES = {
  ...{ both: 'registration, sign-in', registration: 'registration', authentication: 'sign-in', none: 'signal' },
} as const

const outcomeText = (expected: Described['expected']): string =>
  typeof expected === 'object'
    ? Object.entries(expected)
        .map(([ceremony, outcome]: [string, FaultOutcome]) => `${ceremony} ${outcome}`)
        .join(', ')
    : String(expected)
