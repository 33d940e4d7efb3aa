import { parentPort } from 'node:worker_threads'
import { type FromThread, readCodesHere, type ToThread } from './camera.ts'

/** Reads one picture after the other. An error here ends the thread, and camera.ts reports that. */
parentPort?.on('message', async ({ of, picture }: ToThread) => {
  const read: FromThread = { of, codes: await readCodesHere(picture) }
  parentPort?.postMessage(read)
})
