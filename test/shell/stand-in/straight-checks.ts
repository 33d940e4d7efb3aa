import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeTrace } from '../../../src-main/trace/write-trace.ts'
import { desk as deskOf } from '../../e2e/support/pages/desk.ts'
import { ALICE, register } from '../../support/bench.ts'
import { atDesk, type Calls, demand, firstOf, linkTo, notification, registrationCode, screenOf } from './desk.ts'
import type { Report } from './machine.ts'

/** What the shell must do when all is well; each by its title, so that a broken shell can be shown to fail it. */
export type Checks = Readonly<Record<string, (entry: string | undefined) => Promise<Calls>>>

const kinds = (reports: readonly Report[]): readonly string[] => reports.map(({ kind }) => kind)

export const STRAIGHT_CHECKS = {
  'locks everything before its window, and shows the window before the tray': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'])
      await run.until('loaded')
      const calls = run.reports.filter(({ kind }) => kind === 'call').map(({ call }) => String(call))
      const order = (...names: string[]): void => {
        const places = names.map((name) => calls.indexOf(name))
        demand(!places.includes(-1), `all of ${names} are called`, calls)
        demand(places.join() === places.toSorted((a, b) => a - b).join(), `the order is ${names}`, places)
      }
      order(
        'App.requestSingleInstanceLock',
        'App.whenReady',
        'Session.setPermissionRequestHandler',
        'new BrowserWindow',
      )
      order('WebRequest.onBeforeRequest', 'WebRequest.onHeadersReceived', 'new BrowserWindow', 'BrowserWindow.loadURL')
      order('WebContents.setWindowOpenHandler', 'BrowserWindow.loadURL', 'new Tray')
      const options = run.reports.find(({ kind }) => kind === 'window')?.options as { show?: boolean }
      demand(options.show === false, 'the window is hidden until there is something to see')
      demand(kinds(run.reports).includes('shown'), 'the window is shown when it is ready')
      demand((await run.stop()) === 0, 'a signal ends it with 0')
    }),

  'gives the page its preload script’s one object, and nothing of Node': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'])
      const page = await run.page()
      const seen = await page.evaluate(() => ({
        shell: JSON.stringify((globalThis as { handsetShell?: unknown }).handsetShell),
        node: [
          typeof (globalThis as { require?: unknown }).require,
          typeof (globalThis as { process?: unknown }).process,
        ],
      }))
      demand(
        seen.shell === JSON.stringify({ host: 'electron', platform: process.platform }),
        'the object is there',
        seen,
      )
      demand(
        seen.node.every((type) => type === 'undefined'),
        'there is no Node in the page',
        seen,
      )
    }),

  'shows a push as a notification and on its icon, and a click opens it on its phone': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const run = start()
      await run.until('loaded')
      const client = control()
      const { rp, phone } = await firstOf(client)
      await register(client, { rp, phone })
      const push = () =>
        client.call('simulator.sign-in', { params: { rp }, body: { ...ALICE, method: 'push', poll: false } })
      run.tell({ do: 'window', action: 'blur' })
      await push()
      const { number } = await run.until(notification('Demo RP'))
      demand(
        run.reports.some(({ kind, count }) => kind === 'badge' && count === 1),
        'the icon counts it',
      )
      const { last_seq: after } = await client.call('overview')
      const from = run.reports.length
      run.tell({ do: 'notification', number, action: 'click' })
      await run.until('focused', from)
      await client.call('events.wait', { body: { match: { kind: 'phone', change: 'asked' }, after } })
      demand((await screenOf(client)) === 'request', 'the phone shows the request', await screenOf(client))
      await run.until(({ kind, count }) => kind === 'badge' && count === 0, from)
    }),

  'marks the taskbar of Windows while a push waits': (entry) =>
    atDesk(entry, async ({ start, control, data }) => {
      const run = start(['--data', data], { platform: 'win32' })
      await run.until('loaded')
      const client = control()
      const { rp, phone } = await firstOf(client)
      await register(client, { rp, phone })
      const body = { ...ALICE, method: 'push', poll: false } as const
      const { msg_id } = await client.call('simulator.sign-in', { params: { rp }, body })
      const { description } = await run.until(({ kind, image }) => kind === 'overlay' && image === true)
      demand(String(description).includes('1'), 'it is said to a reader of the screen', description)
      const from = run.reports.length
      await client.call('phones.open', { params: { id: phone }, body: { msg_id } })
      await run.until(({ kind, image }) => kind === 'overlay' && image === false, from)
    }),

  'opens another data directory in its place, and names one that is gone': (entry) =>
    atDesk(entry, async ({ start, home, data }) => {
      const [gone, other] = [join(home, 'gone'), join(home, 'other')]
      for (const folder of [gone, other]) {
        const earlier = start(['--data', folder])
        await earlier.until('loaded')
        await earlier.stop()
      }
      rmSync(gone, { recursive: true })
      const run = start([], { answers: [0] })
      const { labels } = await run.until('menu')
      demand(!JSON.stringify(labels).includes(`"${data}"`), 'its own is not offered', labels)
      run.tell({ do: 'menu', label: gone })
      const { detail } = await run.until('message-box')
      demand(String(detail).includes(gone), 'the one that is gone is named', detail)
      const after = run.reports.filter(({ kind }) => kind === 'menu').at(-1)
      demand(!JSON.stringify(after?.labels).includes(gone), 'and offered no more', after)
      run.tell({ do: 'menu', label: other })
      const { relaunch } = await run.until('exit')
      demand(
        JSON.stringify(relaunch).endsWith(JSON.stringify(['--', '--data', other]).slice(1)),
        'it starts there',
        relaunch,
      )
    }),

  'follows a link from outside, and refuses one that is none of ours': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const run = start()
      await run.until('loaded')
      const client = control()
      run.tell({ do: 'open-url', url: linkTo(await registrationCode(client)) })
      const { prevented } = await run.until('opened-url')
      demand(prevented === true, 'the system is told that the link is taken care of')
      const { body } = await run.until(notification('Scanning a code'))
      demand(String(body).includes('Alice'), 'Alice has read the code', body)
      demand((await screenOf(client)) === 'request', 'her phone asks')
      run.tell({ do: 'open-url', url: 'handset:approve' })
      await run.until(notification('This link was not followed'))
    }),

  'opens a trace that it is started with, handed by the system or by a second instance, and no link to one': (entry) =>
    atDesk(entry, async ({ start, home }) => {
      const traceOf = async (title: string): Promise<string> => {
        const file = join(home, `${title}.handset`)
        writeFileSync(file, await writeTrace({ handset: '1.0.0', workspace: 'main', title, saved: 0 }, []))
        return file
      }
      const [given, dropped, handed] = [await traceOf('given'), await traceOf('dropped'), await traceOf('handed')]
      const run = start([basename(given)])
      const page = await run.page()
      const shown = (title: string) => page.getByRole('heading', { name: title }).waitFor()
      await shown('given')
      run.tell({ do: 'open-file', path: dropped })
      const { prevented } = await run.until('opened-file')
      demand(prevented === true, 'the system is told that the file is taken care of')
      await shown('dropped')
      const second = start([pathToFileURL(handed).href])
      demand((await second.ended) === 0, 'the second one ends with 0')
      await shown('handed')
      // Windows lets only few make a link to a file.
      if (process.platform !== 'win32') {
        symlinkSync(given, join(home, 'link.handset'))
        run.tell({ do: 'open-file', path: join(home, 'link.handset') })
        await run.until(notification('This file was not opened'))
      }
      const other = join(home, 'other.handset')
      writeFileSync(other, 'no trace')
      run.tell({ do: 'open-file', path: other })
      await page.getByText('other.handset: ').waitFor()
      await shown('handed')
    }),

  'hands a second instance’s link to the first, whose window comes to the front': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const first = start()
      await first.until('loaded')
      const from = first.reports.length
      const second = start([linkTo(await registrationCode(control()))])
      demand((await second.ended) === 0, 'the second one ends with 0')
      demand(second.output().includes('runs already'), 'and says why', second.output())
      await first.until('second-instance', from)
      await first.until('focused', from)
      await first.until(notification('Scanning a code'), from)
    }),

  'opens the place that a link of its page leads to, and none of another bench': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start()
      const page = await run.page()
      const { origin } = new URL(page.url())
      const second = start([`${origin}/w/main/console/roots`])
      demand((await second.ended) === 0, 'the second one ends with 0')
      await page.getByRole('heading', { level: 2, name: 'Trust roots' }).waitFor()
      const byScheme = (link: string) =>
        run.tell({ do: 'open-url', url: `handset:open?url=${encodeURIComponent(link)}` })
      byScheme(`${origin}/w/main/console/profile/message_ttl_s`)
      await page.getByRole('heading', { level: 3, name: 'Time to answer' }).waitFor()
      const from = run.reports.length
      byScheme('http://localhost:1/w/main/console/roots')
      await run.until(notification('This link was not followed'), from)
      demand(page.url() === `${origin}/w/main/console/profile/message_ttl_s`, 'the page stays', page.url())
    }),

  'reads a code from the pixels of the screen': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const run = start()
      const { rp } = deskOf(await run.page())
      run.tell({ do: 'screen', photographs: true })
      run.tell({ do: 'menu', label: 'Scan a Code on the Screen' })
      const nothing = await run.until(notification('Scanning the screen'))
      demand(String(nothing.body).includes('no QR code'), 'it is read as JPEG', nothing.body)
      run.tell({ do: 'screen', photographs: false })
      const from = run.reports.length
      await rp.register()
      await rp.registrationCode.waitFor()
      run.tell({ do: 'menu', label: 'Scan a Code on the Screen' })
      const { body } = await run.until(notification('Scanning the screen'), from)
      demand(String(body).includes('has read the code'), 'the code is read', body)
      demand((await screenOf(control())) === 'request', 'the phone asks')
    }),

  'comes to the front from the dock and the tray, scans by its key, and opens a browser': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'])
      await run.until('loaded')
      run.tell({ do: 'window', action: 'minimize' })
      run.tell({ do: 'activate' })
      await run.until('restored')
      const from = run.reports.length
      run.tell({ do: 'tray-click' })
      await run.until('focused', from)
      run.tell({ do: 'key CommandOrControl+Shift+9' })
      const { number } = await run.until(notification('Scanning the screen'))
      run.tell({ do: 'notification', number, action: 'close' })
      run.tell({ do: 'menu', label: 'Open in the Browser' })
      const { url } = await run.until('external')
      const answer = await fetch(String(url))
      demand(answer.ok, 'the browser is sent to the page', url)
    }),

  'ends with its window, unless it is to keep running': (entry) =>
    atDesk(entry, async ({ start }) => {
      const brief = start(['--memory', '--port', '0'])
      await brief.until('loaded')
      brief.tell({ do: 'window', action: 'close' })
      demand((await brief.ended) === 0, 'it ends with its window')
      const lasting = start(['--memory', '--port', '0'])
      await lasting.until('loaded')
      lasting.tell({ do: 'menu', label: 'Keep Running When the Window Is Closed' })
      lasting.tell({ do: 'window', action: 'close' })
      await lasting.until('closed')
      const from = lasting.reports.length
      lasting.tell({ do: 'tray', label: 'Show Handset' })
      await lasting.until('shown', from)
      lasting.tell({ do: 'tray', label: 'Quit Handset' })
      demand((await lasting.ended) === 0, 'it ends when it is told to')
    }),

  'loses nothing when it is quit under load, and opens where it stood': (entry) =>
    atDesk(entry, async ({ start, control }) => {
      const first = start()
      await first.until('loaded')
      const client = control()
      const { rp, phone } = await firstOf(client)
      await register(client, { rp, phone })
      const bounds = { x: 10, y: 20, width: 1000, height: 700 }
      first.tell({ do: 'window', action: 'move', bounds })
      first.tell({ do: 'window', action: 'maximize' })
      first.tell({ do: 'menu', label: 'Dark' })
      const load = Array.from({ length: 20 }, () => registrationCode(client).catch(() => undefined))
      first.tell({ do: 'menu', label: 'Quit Handset' })
      demand((await first.ended) === 0, 'it ends with 0')
      await Promise.all(load)
      const again = start()
      await again.until('loaded')
      const { options } = await again.until('window')
      const { x, y, width, height } = options as typeof bounds
      demand(
        JSON.stringify({ x, y, width, height }) === JSON.stringify(bounds),
        'the window stands where it stood',
        options,
      )
      await again.until('maximized')
      demand(
        again.reports.some(({ kind, theme }) => kind === 'theme' && theme === 'dark'),
        'and is dark from the beginning',
      )
      const after = control()
      const { rps } = await after.call('rps.list')
      demand(rps[0]?.id === rp && (await firstOf(after)).phone === phone, 'RP and phone are there')
    }),

  'says its versions, shows its logs, and follows the theme that is chosen': (entry) =>
    atDesk(entry, async ({ start, data }) => {
      const run = start()
      const page = await run.page()
      run.tell({ do: 'menu', label: 'About Handset' })
      const { options } = await run.until('about')
      const { applicationVersion, copyright } = options as Readonly<Record<string, string>>
      demand(/^\d+\.\d+\.\d+/.test(String(applicationVersion)), 'its own version is shown', applicationVersion)
      demand(/Node v?\d+.*\n.*MIT/.test(String(copyright)), 'what it contains, and its licence', copyright)
      run.tell({ do: 'menu', label: 'Show Logs' })
      const { path } = await run.until('path')
      demand(path === join(data, 'desktop', 'logs'), 'the logs lie with its data', path)
      run.tell({ do: 'open-url', url: 'handset:approve' })
      run.tell({ do: 'menu', label: 'Dark' })
      await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches)
    }),

  'speaks the language of the system': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'], { languages: ['fr-FR', 'zh-Hans-CN', 'en'] })
      const { labels } = await run.until('menu')
      demand(JSON.stringify(labels).includes('扫描屏幕上的二维码'), 'the menu is Chinese', labels)
      run.tell({ do: 'open-url', url: 'handset:nothing' })
      const { body } = await run.until(notification('未打开此链接'))
      demand(/\p{Script=Han}/u.test(String(body)), 'and so is the reason', body)
    }),

  'lets the page use the camera after a yes, and nothing else, and takes it nowhere': (entry) =>
    atDesk(entry, async ({ start }) => {
      const run = start(['--memory', '--port', '0'], { answers: [1, 0] })
      const page = await run.page()
      const camera = () =>
        page.evaluate(() =>
          navigator.mediaDevices.getUserMedia({ video: true }).then(
            (stream) => stream.getVideoTracks().length,
            (reason: Error) => reason.name,
          ),
        )
      demand((await camera()) === 'NotAllowedError', 'a no is a no')
      demand((await camera()) === 1, 'a yes is a yes')
      const shared = await page.evaluate(() =>
        navigator.mediaDevices.getDisplayMedia().then(String, (reason: Error) => reason.name),
      )
      demand(shared === 'NotAllowedError', 'the screen is not shared', shared)
      const found = await page.evaluate(
        () =>
          new Promise((resolve) =>
            navigator.geolocation.getCurrentPosition(
              () => resolve('found'),
              () => resolve('no'),
            ),
          ),
      )
      demand(found === 'no', 'the place is nobody’s business')
      await page.evaluate(() => void window.open('https://example.org/', 'handset-notes'))
      const opened = await run.until('open')
      demand(opened.action === 'deny', 'no second window opens', opened)
      const fetched = await page.evaluate(() =>
        fetch('http://127.0.0.1:9/').then(String, (reason: Error) => reason.name),
      )
      demand(fetched === 'TypeError', 'no other address is asked', fetched)
      const here = page.url()
      await page.evaluate(() => void location.assign('https://example.org/'))
      const { prevented } = await run.until('navigation')
      demand(prevented === true && page.url() === here, 'the page stays where it is', page.url())
      run.tell({ do: 'redirect', path: '/moved', to: 'https://example.org/there' })
      const from = run.reports.length
      await page.evaluate(() => void location.assign('/moved'))
      const redirect = await run.until(
        ({ kind, url }) => kind === 'navigation' && url === 'https://example.org/there',
        from,
      )
      demand(redirect.prevented === true && page.url() === here, 'nor is it led away', page.url())
      const beforeNotes = run.reports.length
      await page.evaluate(() => void window.open('/w/main/present/key/notes', 'handset-notes'))
      const { action } = await run.until('open', beforeNotes)
      const { id, options } = await run.until('window', beforeNotes)
      const { preload, sandbox } = (options as { webPreferences: { preload?: string; sandbox: boolean } })
        .webPreferences
      demand(action === 'allow' && sandbox && preload === undefined, 'but for the notes, which are as locked', options)
      await run.until((each) => each.kind === 'loaded' && each.id === id, beforeNotes)
      run.tell({ do: 'window', action: 'close' })
      demand((await run.ended) === 0, 'they close with the window')
    }),
} as const satisfies Checks
