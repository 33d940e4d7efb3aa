import { startHaproxy } from './start-haproxy.ts'
import { startPgbouncer } from './start-pgbouncer.ts'
import { startPostgres } from './start-postgres.ts'

/** A program that starts one of each, says which processes they are, and waits to be killed. */
const database = await startPostgres()
if (typeof database === 'string') throw new Error(database)
const [balancer, pooler] = [await startHaproxy([1]), await startPgbouncer(database.port)]
console.log(JSON.stringify({ folder: database.folder, pids: [balancer.pid, pooler.pid, database.pid()] }))
process.stdin.resume()
