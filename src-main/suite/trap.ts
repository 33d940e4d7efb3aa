import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Another host, to which the service redirects: what comes there should never have come. */
export type Trap = {
  /** The address that belongs to one trial. Who follows is told that this user has signed in. */
  address(trial: string, user_id: string): string
  /** The call that came with a signature, if one did. */
  signed(trial: string): string | undefined
  close(): void
}

export const openTrap = async (): Promise<Trap> => {
  const users = new Map<string, string>()
  const caught = new Map<string, string>()
  const server = createServer((request, response) => {
    const trial = request.url?.split('/')[1] ?? ''
    const { authorization } = request.headers
    if (authorization?.startsWith('SVC-') === true) caught.set(trial, `${request.method} ${request.url}`)
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
    signed: (trial) => caught.get(trial),
    close: () => void server.close(),
  }
}
