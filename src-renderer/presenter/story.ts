import type { ControlPhone } from '../../src-main/contract/control/states.ts'
import type { Message } from '../../src-main/timeline/timeline.ts'

/** The story in seven steps: a registration, then a sign-in by push. Each is a state that the demo is really in. */
export const STEPS = ['meet', 'code', 'scan', 'key', 'push', 'ask', 'signed'] as const

export type Step = (typeof STEPS)[number]

export const LAST = STEPS.length - 1

export type Deed = 'register' | 'scan' | 'touch' | 'sign-in' | 'open'

/** What leads from each step to the next one. */
export const DEEDS = ['register', 'scan', 'touch', 'sign-in', 'open', 'touch'] as const satisfies readonly Deed[]

export type Standing = {
  readonly step: number
  /** The last request came to nothing: the story stands where it stood before it was asked. */
  readonly trouble?: 'fail' | 'timeout'
}

/** Where the story is, read from its newest request alone: whoever brought it there, a key or a finger on the phone. */
export const standingOf = (message: Pick<Message, 'ceremony' | 'state'> | undefined): Standing => {
  if (message === undefined) return { step: at('meet') }
  const [before, asked, bound, good] = PARTS[message.ceremony]
  switch (message.state) {
    case 'init':
      return { step: at(asked) }
    case 'bind':
      return { step: at(bound) }
    case 'success':
      return { step: at(good) }
    case 'fail':
    case 'timeout':
      return { step: at(before), trouble: message.state }
  }
}

const PARTS = {
  registration: ['meet', 'code', 'scan', 'key'],
  authentication: ['key', 'push', 'ask', 'signed'],
} as const satisfies Record<Message['ceremony'], readonly Step[]>

const at = (step: Step): number => STEPS.indexOf(step)

export type Scene = {
  readonly message: Pick<Message, 'msgId' | 'state'> | undefined
  readonly phone: Pick<ControlPhone, 'screen' | 'notifications'> | undefined
  /** The phone's camera is open, and lies over everything else on its screen. */
  readonly scanning: boolean
}

/** Whether what the deed needs is there: a push takes a moment to arrive, a request a moment to be drawn. */
export const isReady = (deed: Deed, { message, phone, scanning }: Scene): boolean => {
  if (phone === undefined) return false
  switch (deed) {
    case 'register':
    case 'sign-in':
      return true
    case 'scan':
      return message?.state === 'init'
    case 'open':
      return phone.notifications.some(({ msg_id }) => msg_id === message?.msgId)
    case 'touch':
      return phone.screen.kind === 'request' && !scanning
  }
}

/** The step whose sentence is told: the one that is being brought about, as soon as it is begun. */
export const toldStep = (standing: Standing, target: number | undefined): number =>
  target === undefined ? standing.step : Math.min(target, standing.step + 1)

/** What to look at, where there is room for one of the two. */
export const EYES = {
  meet: 'page',
  code: 'page',
  scan: 'phone',
  key: 'phone',
  push: 'phone',
  ask: 'phone',
  signed: 'page',
} as const satisfies Record<Step, 'page' | 'phone'>

/** A sentence stands as long as it takes to read it aloud, and then some. */
export const readingTime = (sentence: string): number => 2200 + 260 * wordCount(sentence)

/** Chinese has no spaces between its words, which are two characters long on the average. */
const wordCount = (sentence: string): number => {
  const characters = sentence.match(/\p{Script=Han}/gu)?.length ?? 0
  return characters === 0 ? sentence.split(/\s+/).length : Math.ceil(characters / 2)
}
