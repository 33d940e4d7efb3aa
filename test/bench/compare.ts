import { parseArgs } from 'node:util'
import { type DurableSample, inTurn, withDurable } from './durable.ts'
import { median, medianInterval } from './statistics.ts'
import { head, number, range, row } from './table.ts'

/**
 * Whole durable sign-ins at several builds, in turn: node test/bench/compare.ts --rounds 15 --seconds 3 DIR DIR+SETTING=VALUE.
 * Each is a checkout with its own node_modules, built or not; the first is what the others are compared with.
 */
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '3' } },
  allowPositionals: true,
})

const samples = await withDurable(async (start) => {
  const sides = []
  for (const name of positionals) {
    const [root, ...settings] = name.split('+')
    const profile = Object.fromEntries(settings.map((setting) => setting.split('=')))
    sides.push(await start({ people: 16, profile, ...(root !== undefined && { root }) }))
  }
  return inTurn(sides, { rounds: Number(values.rounds), seconds: Number(values.seconds) })
})

type Figure = (sample: DurableSample) => number

const rate: Figure = ({ perSecond }) => perSecond
const cpu: Figure = ({ cpuMicros = Number.NaN }) => cpuMicros
const ratio = (side: readonly DurableSample[], figure: Figure): string => {
  const ratios = side.map((sample, i) => figure(sample) / figure(samples[0]?.[i] ?? sample))
  return `${number(median(ratios), 2)} (${range(medianInterval(ratios), 2)})`
}

const columns = ['Per second', 'Beside the first, 95 %', 'Server µs each', 'Beside the first, 95 %']
console.log(head('Whole durable sign-ins', ...columns).join('\n'))
for (const [i, side] of samples.entries()) {
  const figures = [rate, cpu].flatMap((figure) => [number(median(side.map(figure))), ratio(side, figure)])
  console.log(row(positionals[i] ?? '', ...figures))
}
