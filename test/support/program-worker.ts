import { parentPort } from 'node:worker_threads'
import { createPrograms } from '../../src-main/testing/scenario/own-rp/programs.ts'

/** A thread that starts a program, and ends it or says whether it runs when it is asked. */
const programs = createPrograms(import.meta.dirname)
const started = await programs.start({ program: 'sleep', args: ['60'] })
const name = started.ok ? started.value.name : ''

parentPort?.on('message', async (message: 'end' | 'look') => {
  if (message === 'look') return parentPort?.postMessage(programs.running.get(name)?.ended() ?? 'runs')
  await programs.close()
  parentPort?.postMessage('ended')
  if (message === 'end') parentPort?.close()
})
parentPort?.postMessage(started.ok ? 'started' : 'not started')
