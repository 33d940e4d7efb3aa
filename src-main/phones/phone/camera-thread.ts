import { parentPort } from 'node:worker_threads'
import { type CameraRequest, type CameraResult, readCodesInThread } from './camera.ts'

/** Reads one picture after the other. An error here ends the thread, and camera.ts reports that. */
parentPort?.on('message', async ({ of, picture }: CameraRequest) => {
  const read: CameraResult = { of, codes: await readCodesInThread(picture) }
  parentPort?.postMessage(read)
})
