/**
 * The loop of the judges in JavaScript. It reads FILE line by line, so that memory holds the judge and what it stores, and
 * measures each verification from the text of a request's body to the verdict, in processor time of all threads: on a core
 * of one's own that is the time it takes, and others on the machine change it little. What is thrown is a refusal.
 */
import { existsSync, openSync, readFileSync, readSync } from 'node:fs'

export const [file, origin, rpId] = process.argv.slice(2)

/** Reads while nothing is measured, which a stream would not. */
function* linesOf(path) {
  const from = openSync(path)
  const chunk = Buffer.alloc(1 << 16)
  let rest = ''
  for (let size = readSync(from, chunk); size > 0; size = readSync(from, chunk)) {
    const texts = (rest + chunk.toString('latin1', 0, size)).split('\n')
    rest = texts.pop()
    yield* texts
  }
}

const processorSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

export const judgeLines = async ({ register, signIn }) => {
  const groups = {}
  const stored = new Map()
  for (const text of linesOf(file)) {
    const line = JSON.parse(text)
    const began = processorSeconds()
    let reason
    try {
      if (line.group === 'registration') stored.set(line.id, await register(line, JSON.parse(line.body)))
      else await signIn(line, JSON.parse(line.body), stored.get(line.id))
    } catch (error) {
      reason = String(error)
    }
    const seconds = processorSeconds() - began
    if (line.warm) continue
    const group = (groups[line.group] ??= { verified: 0, refused: 0, seconds: 0 })
    group.seconds += seconds
    group[reason === undefined ? 'verified' : 'refused']++
    group.reason ??= reason
  }
  // Not getrusage's maximum, which a program inherits from the one that started it.
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const [, kib = 0] = /VmHWM:\s+(\d+)/.exec(status) ?? []
  console.log(JSON.stringify({ groups, rss: Number(kib) * 1024 }))
  process.exit()
}
