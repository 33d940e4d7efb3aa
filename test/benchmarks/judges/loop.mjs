/**
 * The loop of the judges in JavaScript. It reads FILE line by line, so that memory holds the judge and what it stores, and
 * measures each verification from the text of a request's body to the verdict. What is thrown is a refusal.
 */
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export const [file, origin, rpId] = process.argv.slice(2)

export const judgeLines = async ({ register, signIn }) => {
  const groups = {}
  const stored = new Map()
  for await (const text of createInterface(createReadStream(file))) {
    const line = JSON.parse(text)
    const began = performance.now()
    const outcome = await judge(line, { register, signIn, stored }).catch((error) => ({ reason: String(error) }))
    const seconds = (performance.now() - began) / 1000
    if ('stored' in outcome) stored.set(line.id, outcome.stored)
    if (line.warm) continue
    const group = (groups[line.group] ??= { verified: 0, refused: 0, seconds: 0 })
    group.seconds += seconds
    if (outcome.reason === undefined) group.verified++
    else group.refused++
    group.reason ??= outcome.reason
  }
  const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  console.log(JSON.stringify({ groups, rss: Number(kib) * 1024 }))
  process.exit()
}

const judge = async (line, { register, signIn, stored }) => {
  if (line.group === 'registration') return { stored: await register(line, JSON.parse(line.body)) }
  await signIn(line, JSON.parse(line.body), stored.get(line.id))
  return {}
}
