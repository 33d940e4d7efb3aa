// @ts-check
// After the last step of the job, however that ended: ends the bench, and says what went wrong in it.
import { readFileSync } from 'node:fs'

const { STATE_pid: pid, STATE_log: log } = process.env
if (pid !== undefined && /^\d+$/.test(pid)) {
  try {
    process.kill(Number(pid), 'SIGTERM')
    console.log('The bench is told to end.')
  } catch {
    console.log('The bench has ended before.')
  }
}
if (log !== undefined) {
  const troubles = readFileSync(log, 'utf8').split('\n').filter((line) => / (error|warn) /.test(line))
  for (const line of troubles.slice(0, 50)) console.log(`::warning title=Handset::${line}`)
}
