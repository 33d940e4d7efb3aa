import { type RefObject, useEffect, useState } from 'react'
import type { ControlPhone, ControlPrompt } from '../../src-main/core/contract/control/states.ts'
import type { Body } from '../../src-main/sdk/client.ts'
import type { ApiProblem } from '../api.ts'
import { useTools } from '../bench/use-bench.ts'
import { prefersStillness } from '../ui/page-clock.ts'
import { useCalls } from '../ui/use-asked.ts'
import { type CameraTrouble, closeSource, type LiveSource, openSource, type Photo, readPhoto } from './camera-source.ts'

export type PhoneActions = ReturnType<typeof usePhoneActions>

type Camera = 'off' | 'looking' | 'reading' | 'nothing' | 'watching'

/** Duration of the sweep animation over the code; the picture is read when the animation ends. */
export const SWEEP_MS = 1100

/** How long a camera looks for a code before it reports that there is none. */
const LOOK_MS = 1500
const GLANCE_MS = 50

/** Waits for a code, because it may appear a moment later. */
const codeInSight = async (canvas: RefObject<HTMLCanvasElement | null>): Promise<HTMLCanvasElement | undefined> => {
  for (let waited = 0; waited < LOOK_MS && canvas.current === null; waited += GLANCE_MS) {
    await new Promise((resolve) => setTimeout(resolve, GLANCE_MS))
  }
  return canvas.current ?? undefined
}

const isNoCode = (problem: ApiProblem): boolean =>
  problem.kind === 'refused' && (problem.data as { readonly word?: unknown } | undefined)?.word === 'no_code'

/** Only the events that follow change the phone's screen. */
export const usePhoneActions = (
  phone: ControlPhone,
  canvas: RefObject<HTMLCanvasElement | null>,
  onWatch: (watching: boolean) => void,
  /** The origin of the page that shows the code, if it is not the RP's own page. */
  seenOn?: string,
) => {
  const { api } = useTools()
  const [camera, setCamera] = useState<Camera>('off')
  const [live, setLive] = useState<MediaStream>()
  const [trouble, setTrouble] = useState<CameraTrouble>()
  const { call, send, busy, problem, setProblem } = useCalls()
  const params = { id: phone.id }

  // A camera that is no longer used is released.
  useEffect(() => {
    return () => {
      if (live !== undefined) closeSource(live)
    }
  }, [live])

  const closeCamera = () => {
    setCamera('off')
    setLive(undefined)
    setTrouble(undefined)
  }

  const stand = (why: CameraTrouble) => {
    setTrouble(why)
    setCamera('nothing')
  }

  const watch = async (source: LiveSource) => {
    setTrouble(undefined)
    const stream = await openSource(source)
    if (!stream.ok) return stand(stream.error)
    setLive(stream.value)
    setCamera('watching')
  }

  const glance = async (image: Photo): Promise<boolean> => {
    const result = await api.call((client) => client.call('phones.scan', { params, body: { image, glance: true } }))
    if (!result.ok && isNoCode(result.error)) return false
    if (!result.ok) setProblem(result.error)
    closeCamera()
    return true
  }

  const read = async (file: File) => {
    const photo = await readPhoto(file)
    if (!photo.ok) return stand(photo.error)
    closeCamera()
    send('phones.scan', { params, body: { image: photo.value } })
  }

  const scan = async () => {
    closeCamera()
    setCamera('looking')
    const code = await codeInSight(canvas)
    if (code === undefined) return setCamera('nothing')
    setCamera('reading')
    onWatch(true)
    await new Promise((resolve) => setTimeout(resolve, prefersStillness() ? 0 : SWEEP_MS))
    const image = { data: code.toDataURL('image/png').replace(/^data:image\/png;base64,/, ''), type: 'png' as const }
    const relay = seenOn === undefined ? {} : { seen_on: seenOn }
    await call((client) => client.call('phones.scan', { params, body: { image, ...relay } }))
    setCamera('off')
    onWatch(false)
  }

  /** True if the phone accepted the touch; it may ask for another. */
  const approve = async (prompt: ControlPrompt, storage?: 'cloud' | 'chip'): Promise<boolean> => {
    const body = { prompt: prompt.id, ...(storage === undefined ? {} : { storage }) }
    const after = await call((client) => client.call('phones.approve', { params, body }))
    return after.ok && after.value.screen.kind !== 'request'
  }

  return {
    /** Points the camera at the code on the RP's page. */
    scan: () => void scan(),
    /** Points the camera at the screen or the webcam, until a code is visible. */
    watch: (source: LiveSource) => void watch(source),
    glance,
    read: (file: File) => void read(file),
    open: (msg_id: string) => send('phones.open', { params, body: { msg_id } }),
    dismiss: (msg_id: string) => send('phones.dismiss', { params, body: { msg_id } }),
    approve,
    reject: ({ id }: ControlPrompt) => send('phones.reject', { params, body: { prompt: id } }),
    home: () => send('phones.home', { params, body: {} }),
    patch: (body: Body<'phones.patch'>) => send('phones.patch', { params, body }),
    disarm: (fault_id: string) => send('phones.disarm', { params: { ...params, fault_id } }),
    camera,
    closeCamera,
    busy,
    live,
    trouble,
    problem,
    clearProblem: () => setProblem(undefined),
  }
}
