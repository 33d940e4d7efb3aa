import type { CancelAlarm } from '../../core/protocol/clock.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { PhoneCore } from './phone-core.ts'
import type { OpenPrompt } from './phone-record.ts'
import { problemOf, refusePhone } from './phone-refusal.ts'

/** A phone's open prompts, and the alarms that end or answer them. */
export type PromptBook = {
  find(id: string): OpenPrompt | undefined
  forMessage(msgId: string): OpenPrompt | undefined
  /** Takes it in and shows it. */
  add(open: OpenPrompt): void
  replace(id: string, open: OpenPrompt): void
  /** The prompt is over, however it went. */
  finish(id: string): void
  /** Rings at `answers_at`, and at the expiry. */
  arm(open: OpenPrompt): void
  /** While it is being answered it neither expires nor is answered a second time. */
  isBusy(id: string): boolean
  whileBusy<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Some other alarm of the prompts. */
  later(key: string, time: Millis, ring: () => void): void
  stop(): void
}

export const createPromptBook = (core: PhoneCore, onDue: (open: OpenPrompt) => void): PromptBook => {
  const alarms = new Map<string, CancelAlarm>()
  const busy = new Set<string>()

  const setAlarm = (key: string, time: Millis, ring: () => void): void => {
    alarms.get(key)?.()
    const cancel = core.ports.clock.at(time, () => {
      alarms.delete(key)
      ring()
    })
    alarms.set(key, cancel)
  }

  const clearAlarm = (key: string): void => {
    alarms.get(key)?.()
    alarms.delete(key)
  }

  const expire = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id) || open.planned?.past_expiry === true) return
    const { screen } = core.record()
    const shown = 'prompt' in screen && screen.prompt?.id === id
    book.finish(id)
    const refusal = refusePhone('expired')
    if (shown) core.fail(refusal, { screen: problemOf(refusal, open.prompt) })
    else core.tell('changed', undefined, { word: refusal.word })
  }

  const due = (id: string): void => {
    const open = book.find(id)
    if (open === undefined || busy.has(id)) return
    const { answers_at: _, ...prompt } = open.prompt
    const { planned, ...rest } = open
    book.replace(id, { ...rest, prompt })
    onDue({ ...open, prompt, ...(planned === undefined ? {} : { planned }) })
  }

  const book: PromptBook = {
    find: (id) => core.record().prompts.find(({ prompt }) => prompt.id === id),
    forMessage: (msgId) => core.record().prompts.find(({ prompt }) => prompt.msg_id === msgId),
    add(open) {
      core.set({ prompts: [...core.record().prompts, open], screen: { kind: 'request', prompt: open.prompt } })
      book.arm(open)
    },
    replace(id, next) {
      core.set({ prompts: core.record().prompts.map((open) => (open.prompt.id === id ? next : open)) })
    },
    finish(id) {
      clearAlarm(`expire ${id}`)
      clearAlarm(`answer ${id}`)
      core.set({ prompts: core.record().prompts.filter(({ prompt }) => prompt.id !== id) })
    },
    arm({ prompt }) {
      const { id, answers_at: answersAt } = prompt
      if (answersAt !== undefined) setAlarm(`answer ${id}`, answersAt, () => due(id))
      setAlarm(`expire ${id}`, prompt.expires_at * 1000, () => expire(id))
    },
    later: setAlarm,
    isBusy: (id) => busy.has(id),
    async whileBusy(id, work) {
      busy.add(id)
      try {
        return await work()
      } finally {
        busy.delete(id)
      }
    },
    stop() {
      for (const cancel of alarms.values()) cancel()
      alarms.clear()
    },
  }
  return book
}
