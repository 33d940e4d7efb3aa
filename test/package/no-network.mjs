// Loaded before anything else by every program of the package's tests: only the own machine can be reached.
import { Socket } from 'node:net'

const connect = /** @type {(...given: any[]) => Socket} */ (Socket.prototype.connect)
const OWN = new Set([undefined, 'localhost', '127.0.0.1', '::1'])

Socket.prototype.connect = /** @type {(...given: any[]) => any} */ (
  /** @this {Socket} */ function (...given) {
    const [options] = Array.isArray(given[0]) ? given[0] : given
    if (!OWN.has(options?.host)) throw new Error(`no network in this test: ${options.host}`)
    return connect.apply(this, given)
  }
)
