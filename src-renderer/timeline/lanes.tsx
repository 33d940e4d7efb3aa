import type { MessageState } from '../../src-main/core/protocol/message-state.ts'
import type { Lane, Row } from '../../src-main/views/timeline/timeline.ts'
import type { Tone } from '../ui/primitives.tsx'

/** Positions of the lifelines in a drawing of this width. */
export const LANES_WIDTH = 162
export const LANE_X = { rp: 16, service: 75, phone: 134 } as const satisfies Record<Lane, number>

const ROW = 28
const MIDDLE = ROW / 2

const LIFELINES = `M${LANE_X.rp} 0V${ROW}M${LANE_X.phone} 0V${ROW}`

type LanesProps = { readonly row: Row; readonly selected: boolean; readonly refused: boolean; readonly poll: boolean }

export const Lanes = ({ row, selected, refused, poll }: LanesProps) => {
  const tone = refused ? 'fail' : selected ? 'accent' : undefined
  return (
    <svg overflow="visible" viewBox={`0 0 ${LANES_WIDTH} ${ROW}`} width={LANES_WIDTH} height={ROW} aria-hidden="true">
      <path {...LIFELINE} d={LIFELINES} />
      {row.before === row.after ? (
        <Ribbon state={row.after} from={0} to={ROW} />
      ) : (
        <>
          <Ribbon state={row.before} from={0} to={MIDDLE} />
          <Ribbon state={row.after} from={MIDDLE} to={ROW} />
        </>
      )}
      {row.kind === 'moment' ? (
        <circle fill="var(--warn-fill)" cx={LANE_X.service} cy={MIDDLE} r="4" />
      ) : (
        <Arrow from={row.from} to={row.to} tone={tone} poll={poll} />
      )}
      {row.moved === undefined ? null : <Word row={row} state={row.moved} />}
    </svg>
  )
}

const LIFELINE = { stroke: 'var(--line-2)', fill: 'none' } as const

type RibbonProps = { readonly state: MessageState | undefined; readonly from: number; readonly to: number }

const Ribbon = ({ state, from, to }: RibbonProps) => (
  <path
    {...(state === undefined ? LIFELINE : { stroke: 'var(--tone-fill, var(--idle))', strokeWidth: 4 })}
    data-state={state}
    d={`M${LANE_X.service} ${from}V${to}`}
    strokeDasharray={state === 'timeout' ? '3 2' : undefined}
  />
)

type ArrowProps = { readonly from: Lane; readonly to: Lane; readonly tone: Tone | undefined; readonly poll: boolean }

const Arrow = ({ from, to, tone, poll }: ArrowProps) => {
  const way = LANE_X[to] > LANE_X[from] ? 1 : -1
  // The arrow's head ends before the ribbon, or touches a lifeline without a ribbon.
  const tip = LANE_X[to] - way * (to === 'service' ? 5 : 2)
  const start = LANE_X[from] + way * (from === 'service' ? 4 : 0)
  const neck = tip - way * 5
  return (
    <>
      <path
        stroke="var(--tone-fill, var(--text-2))"
        strokeWidth="1.4"
        data-tone={tone}
        d={`M${start + way * 4} ${MIDDLE}H${neck + way * 2}`}
        strokeDasharray={poll ? '3 3' : undefined}
      />
      <path
        fill="var(--tone-fill, var(--text-2))"
        data-tone={tone}
        d={`M${start - 2.5} ${MIDDLE}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM${neck} ${MIDDLE - 3.6}L${tip} ${MIDDLE}L${neck} ${MIDDLE + 3.6}z`}
      />
    </>
  )
}

const Word = ({ row, state }: { readonly row: Row; readonly state: MessageState }) => {
  const right = row.from === 'rp' || row.kind === 'moment'
  return (
    <text
      className="sans tiny weight-560"
      fill="var(--tone, var(--text-3))"
      data-state={state}
      x={LANE_X.service + (right ? 8 : -8)}
      y={MIDDLE + 4}
      textAnchor={right ? 'start' : 'end'}
    >
      {state}
    </text>
  )
}
