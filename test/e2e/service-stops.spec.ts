import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createControlClient } from '../../src-main/sdk/client.ts'
import { freePort } from '../support/free-port.ts'
import { expect, test } from './support/bench.ts'
import { openDesk } from './support/pages/desk.ts'
import { inviteTo, serve } from './support/serve.ts'
import { createSetting } from './support/setting.ts'

/** A piece of network between the page and the service, which can be cut and mended. */
const openLine = async (target: number) => {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // Either end may go at any time: that is what this is for.
      socket.on('error', () => undefined)
    }
    near.pipe(far).pipe(near)
  })
  // It is listened on again when the line is mended.
  const port = await freePort()
  await listen(server, port)
  const cut = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return { origin: `http://localhost:${port}`, cut, mend: () => listen(server, port) }
}

const listen = async (server: Server, port: number): Promise<void> => {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

test('a broken line is shown, and mended it brings what happened meanwhile', async ({ page }) => {
  const port = await freePort()
  const line = await openLine(port)
  const service = await serve(['--memory', '--port', String(port), '--public-url', line.origin])
  // What the test itself asks of the bench does not go over the line that it cuts.
  const control = createControlClient({ controlUrl: `http://localhost:${port}/control/v1`, token: service.ready.token })
  const bench = await createSetting(control, { invite: () => inviteTo(control, service.ready.ui_url) })
  const phone = await bench.addPhone()
  const desk = await openDesk(page, await bench.invite())
  await expect(page).toHaveURL(`${line.origin}/`)
  await expect(desk.phone('Alice').root).toBeVisible()

  await line.cut()
  await expect(desk.stopped).toBeVisible()
  await expect(desk.statusBar).toHaveText(/^Stopped/)
  await expect(desk.phone('Alice').root).toBeVisible()
  await bench.register(phone)
  await expect(desk.timeline.group('Register alice by QR code')).toBeHidden()

  await line.mend()
  await desk.tryNow.click()
  await expect(desk.stopped).toBeHidden()
  await expect(desk.statusBar).toHaveText(/^Running/)
  await expect(desk.timeline.group('Register alice by QR code')).toBeVisible()
  await page.close()
  await line.cut()
  await service.stop()
})
