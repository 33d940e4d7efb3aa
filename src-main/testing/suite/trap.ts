import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Caught = { readonly call: string; readonly isSigned: boolean }

/** Another host, to which the service redirects: what comes there should never have come. */
export type Trap = {
  /** The address that belongs to one trial. Who follows is told that this user has signed in. */
  address(trial: string, user_id: string): string
  /** The call that came, one with a signature before others. */
  caught(trial: string): Caught | undefined
  close(): void
}

export const openTrap = async (): Promise<Trap> => {
  const users = new Map<string, string>()
  const caught = new Map<string, Caught>()
  const server = createServer((request, response) => {
    const trial = request.url?.split('/')[1] ?? ''
    const { authorization } = request.headers
    const isSigned = authorization?.startsWith('SVC-') === true
    if (isSigned || !caught.has(trial)) caught.set(trial, { call: `${request.method} ${request.url}`, isSigned })
    const data = { svc_user: 'Li Wei (138****5678)', status: 'success', error: '', user_id: users.get(trial) ?? '' }
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 0, data, error: '' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    address: (trial, user_id) => {
      users.set(trial, user_id)
      return `http://127.0.0.1:${port}/${trial}/`
    },
    caught: (trial) => caught.get(trial),
    close: () => void server.close(),
  }
}
