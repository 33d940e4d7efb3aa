import type { ControlPhone } from '../../src-main/control/contract/states.ts'
import type { Message } from '../bench/timeline.ts'

/** The story in seven moments. Each is told when the bench is there, and never before. */
export const MOMENTS = ['start', 'code', 'scan', 'asked', 'touch', 'done', 'end'] as const

export type Moment = (typeof MOMENTS)[number]

/** What is so on the bench, whoever brought it about. */
export type Scene = {
  readonly message?: Message
  readonly screen?: ControlPhone['screen']
  /** The phone's camera is on the code. */
  readonly reading: boolean
}

/** The moment that the bench has reached by itself. After a touch, what happened is fast: it is told step by step. */
export const momentOf = ({ message, screen, reading }: Scene): number => {
  if (message === undefined) return at('start')
  if (message.state === 'fail' || message.state === 'timeout') return at('done')
  if (message.state === 'success' || screen?.kind === 'working') return at('touch')
  if (message.state === 'bind') return at('asked')
  return reading ? at('scan') : at('code')
}

/** Whether the next moment can be told: what it needs is there. */
export const canGoOn = (shown: number, scene: Scene): boolean => {
  switch (MOMENTS[shown]) {
    case 'code':
      return scene.message?.state === 'init' && !scene.reading
    case 'scan':
      return scene.screen?.kind === 'request'
    case 'asked':
      return scene.screen?.kind === 'request'
    case 'touch':
      return scene.message?.state === 'success'
    default:
      return true
  }
}

/** Which way the arrow between page and phone points. */
export const DIRECTIONS = {
  start: undefined,
  code: 'right',
  scan: 'left',
  asked: 'right',
  touch: 'left',
  done: 'left',
  end: undefined,
} as const satisfies Record<Moment, 'left' | 'right' | undefined>

const at = (moment: Moment): number => MOMENTS.indexOf(moment)
