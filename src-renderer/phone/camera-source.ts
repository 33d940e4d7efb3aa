import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'

export type LiveSource = 'screen' | 'webcam'

export type CameraTrouble = 'unreadable' | 'denied' | 'absent'

export type Photo = { readonly data: string; readonly type: 'png' | 'jpeg' }

/** Larger pictures are scaled down; codes stay readable. The control interface accepts up to 8,192 pixels a side. */
const LONGEST_SIDE = 4096

/** Browsers share screen and webcam only on localhost or over HTTPS; the desktop window has its own menu for this. */
export const liveSources = (): readonly LiveSource[] => {
  const { mediaDevices } = navigator as { readonly mediaDevices?: Partial<MediaDevices> }
  return [
    ...(mediaDevices?.getDisplayMedia === undefined || 'handsetShell' in window ? [] : (['screen'] as const)),
    ...(mediaDevices?.getUserMedia === undefined ? [] : (['webcam'] as const)),
  ]
}

const OPEN = {
  screen: () => navigator.mediaDevices.getDisplayMedia({ video: true }),
  webcam: () => navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } }),
} as const satisfies Record<LiveSource, () => Promise<MediaStream>>

export const openSource = async (source: LiveSource): Promise<Result<MediaStream, CameraTrouble>> => {
  try {
    return ok(await OPEN[source]())
  } catch (reason) {
    return err(reason instanceof DOMException && reason.name === 'NotFoundError' ? 'absent' : 'denied')
  }
}

export const closeSource = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop()
}

/** The camera's current picture; undefined before the first one. */
export const capturePhoto = (video: HTMLVideoElement): Photo | undefined =>
  video.videoWidth === 0
    ? undefined
    : photo(video, { width: video.videoWidth, height: video.videoHeight, type: 'jpeg' })

export const readPhoto = async (file: File): Promise<Result<Photo, CameraTrouble>> => {
  try {
    const bitmap = await createImageBitmap(file)
    const { width, height } = bitmap
    const made = photo(bitmap, { width, height, type: 'png' })
    bitmap.close()
    return made === undefined ? err('unreadable') : ok(made)
  } catch {
    return err('unreadable')
  }
}

const photo = (
  source: CanvasImageSource,
  { width, height, type }: { readonly width: number; readonly height: number; readonly type: Photo['type'] },
): Photo | undefined => {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  context.drawImage(source, 0, 0, canvas.width, canvas.height)
  return { data: canvas.toDataURL(`image/${type}`, 0.92).replace(/^data:[^,]*,/, ''), type }
}
