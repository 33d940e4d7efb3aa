import { type RefObject, useState } from 'react'
import type { ControlPhone, ControlPrompt } from '../../src-main/control/contract/states.ts'
import type { Result } from '../../src-main/protocol/result.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { ApiProblem } from '../api.ts'
import { useTools } from '../bench/use-bench.ts'
import { prefersStillness } from '../ui/page-clock.ts'

export type PhoneActions = {
  /** Holds the camera over the code on the RP's page; false: there is none in sight. */
  readonly scan: () => void
  readonly open: (msgId: string) => void
  readonly dismiss: (msgId: string) => void
  readonly approve: (prompt: ControlPrompt, storage?: 'cloud' | 'chip') => void
  readonly reject: (prompt: ControlPrompt) => void
  readonly home: () => void
  readonly arming: (ask: (client: ControlClient, id: string) => Promise<unknown>) => Promise<boolean>
  readonly camera: 'off' | 'looking' | 'reading' | 'nothing'
  readonly closeCamera: () => void
  readonly problem?: ApiProblem
  readonly clearProblem: () => void
}

/** How long the sweep over the code takes; the picture is read when it has crossed. */
export const SWEEP_MS = 1100

/** How long a camera looks for a code before it says that there is none. */
const LOOK_MS = 1500
const GLANCE_MS = 50

/** A camera keeps looking: a code that appears a moment later is found. */
const codeInSight = async (canvas: RefObject<HTMLCanvasElement | null>): Promise<HTMLCanvasElement | undefined> => {
  for (let waited = 0; waited < LOOK_MS && canvas.current === null; waited += GLANCE_MS) {
    await new Promise((resolve) => setTimeout(resolve, GLANCE_MS))
  }
  return canvas.current ?? undefined
}

/** What hands can do with one phone. Its screen changes by the events that follow, never from here. */
export const usePhoneActions = (
  phone: ControlPhone,
  canvas: RefObject<HTMLCanvasElement | null>,
  onWatch: (watching: boolean) => void,
): PhoneActions => {
  const { api } = useTools()
  const [camera, setCamera] = useState<PhoneActions['camera']>('off')
  const [problem, setProblem] = useState<ApiProblem>()
  const params = { id: phone.id }

  const run = async (ask: (client: ControlClient) => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined)
    const result: Result<unknown, ApiProblem> = await api.call(ask)
    if (!result.ok) setProblem(result.error)
    return result.ok
  }

  const scan = async () => {
    setCamera('looking')
    const code = await codeInSight(canvas)
    if (code === undefined) {
      setCamera('nothing')
      return
    }
    setCamera('reading')
    onWatch(true)
    await new Promise((resolve) => setTimeout(resolve, prefersStillness() ? 0 : SWEEP_MS))
    const image = { data: code.toDataURL('image/png').replace(/^data:image\/png;base64,/, ''), type: 'png' as const }
    await run((client) => client.call('phones.scan', { params, body: { image } }))
    setCamera('off')
    onWatch(false)
  }

  return {
    scan: () => void scan(),
    open: (msg_id) => void run((client) => client.call('phones.open', { params, body: { msg_id } })),
    dismiss: (msg_id) => void run((client) => client.call('phones.dismiss', { params, body: { msg_id } })),
    approve: (prompt, storage) =>
      void run((client) =>
        client.call('phones.approve', {
          params,
          body: { prompt: prompt.id, ...(storage === undefined ? {} : { storage }) },
        }),
      ),
    reject: (prompt) => void run((client) => client.call('phones.reject', { params, body: { prompt: prompt.id } })),
    home: () => void run((client) => client.call('phones.home', { params, body: {} })),
    arming: (ask) => run((client) => ask(client, phone.id)),
    camera,
    closeCamera: () => setCamera('off'),
    ...(problem === undefined ? {} : { problem }),
    clearProblem: () => setProblem(undefined),
  }
}
