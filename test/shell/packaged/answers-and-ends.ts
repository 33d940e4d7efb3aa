import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type Run = {
  readonly program: string
  readonly args: readonly string[]
  readonly url: string
  /** How often it is asked, once a second, before that is too long. */
  readonly patience: number
}

export type Outcome = {
  readonly status: number
  readonly policy: string | undefined
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** Starts a program, waits until it answers, ends it, and tells how both went. */
export const answersAndEnds = async ({ program, args, url, patience }: Run): Promise<Outcome> => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<Pick<Outcome, 'code' | 'signal'>>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal }))
  })
  try {
    const answer = await Promise.race([
      firstAnswer(url, patience),
      ended.then((how) => Promise.reject(new Error(`It ended before it answered: ${JSON.stringify(how)}`))),
    ])
    child.kill('SIGTERM')
    return { ...answer, ...(await ended) }
  } catch (reason) {
    child.kill('SIGKILL')
    throw reason
  }
}

const firstAnswer = async (url: string, patience: number): Promise<Pick<Outcome, 'status' | 'policy'>> => {
  for (let asked = 0; asked < patience; asked++) {
    try {
      const { status, headers } = await fetch(url)
      return { status, policy: headers.get('content-security-policy') ?? undefined }
    } catch {
      await sleep(1000)
    }
  }
  throw new Error(`It did not answer at ${url} within ${patience} s.`)
}
