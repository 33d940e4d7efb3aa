import { expect, it } from 'vitest'
import { startOptions } from '../../src-main/cli/options.ts'
import {
  absoluteArguments,
  forbiddenSwitch,
  ownArguments,
  parseHandOver,
  parseInvocation,
  toHandOver,
} from '../../src-main/shell/invocation.ts'

const link = 'handset:show'

it('the arguments begin behind the program, and before packaging behind its folder', () => {
  expect(ownArguments(['/opt/handset', '--memory'], true)).toEqual(['--memory'])
  expect(ownArguments(['/electron', '.', '--memory'], false)).toEqual(['--memory'])
})

it.each([
  ['Windows after a click on a notice', ['-Embedding', '-ToastActivated']],
  ['the Finder', ['-psn_0_12345']],
  ['macOS in another language', ['-AppleLanguages', '(de)', '-NSDocumentRevisionsDebugMode', 'YES']],
  ['a menu entry for Wayland', ['--class=Handset', '--enable-wayland-ime', '--ozone-platform-hint=auto']],
  ['a reader of the screen', ['--force-renderer-accessibility']],
  ['a file of flags', ['--enable-features=A,B', '--disable-gpu', '--use-gl=egl', '--lang=de', '--v=1']],
  ['a company’s launcher', ['--proxy-server=proxy.example:8080', '--user-data-dir=/tmp/x']],
  ['a second instance', ['--allow-file-access-from-files', '--original-process-start-time=13213718723637733']],
  ['switches that a packed program refuses', ['--no-sandbox', '--disable-web-security', '--remote-debugging-pipe']],
])('the arguments are without what comes from %s', (_, switches) => {
  expect(ownArguments(['handset', ...switches, '--port', '0', '--memory'], true)).toEqual(['--port', '0', '--memory'])
})

it('the arguments keep every option of ours', () => {
  const options = Object.keys(startOptions).map((name) => `--${name}`)
  expect(ownArguments(['handset', ...options], true)).toEqual(options)
})

it('the arguments are everything behind the two dashes that end Electron’s switches', () => {
  expect(ownArguments(['handset', '--no-sandbox', '--', '--public-url', 'http://x', '--memory'], true)).toEqual([
    '--public-url',
    'http://x',
    '--memory',
  ])
  expect(ownArguments(['/electron', '.', '--', link], false)).toEqual([link])
})

it('the arguments keep what is not known, so that it is complained about', () => {
  expect(ownArguments(['handset', '--no-sandboxes', '--porT=1'], true)).toEqual(['--no-sandboxes', '--porT=1'])
})

it('the arguments are options, or one link', () => {
  expect(parseInvocation(['--memory'])).toEqual({ ok: true, value: { kind: 'options', options: ['--memory'] } })
  expect(parseInvocation([link])).toEqual({ ok: true, value: { kind: 'link', link: { action: 'show' } } })
})

it('the arguments are a link of the page when it is alone, and the value of an option beside one', () => {
  const page = 'http://localhost:7420/w/main/e/7'
  const link = { action: 'open', origin: 'http://localhost:7420', place: '/w/main/e/7' }
  expect(parseInvocation([page])).toEqual({ ok: true, value: { kind: 'link', link } })
  const options = ['--public-url', page]
  expect(parseInvocation(options)).toEqual({ ok: true, value: { kind: 'options', options } })
})

it('the arguments are traces, placed in the folder in which the program was started', () => {
  const args = absoluteArguments(['a.handset', 'file:///b/c.handset'], { folder: '/home/a', platform: 'linux' })
  const paths = ['/home/a/a.handset', '/b/c.handset']
  expect(parseInvocation(args)).toEqual({ ok: true, value: { kind: 'traces', paths } })
  const options = ['--data', 'a.handset']
  expect(absoluteArguments(options, { folder: '/home/a', platform: 'linux' })).toEqual(options)
  expect(parseInvocation(options)).toEqual({ ok: true, value: { kind: 'options', options } })
})

it.each([[['--data', '/elsewhere', link]], [[link, '--memory']], [[link, link]], [['HANDSET:show']]])(
  'the arguments are refused as %j',
  (args) => {
    expect(parseInvocation(args)).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^link_/) } })
  },
)

it('what a second instance hands over arrives as it was sent', () => {
  const sent = JSON.parse(JSON.stringify(toHandOver([link])))
  const invocation = { kind: 'link', link: { action: 'show' } }
  expect(parseHandOver(sent)).toEqual({ ok: true, value: { invocation, args: [link] } })
})

it.each([undefined, null, 'handset:show', { v: 2, args: [] }, { v: 1 }, { v: 1, args: [1] }, { v: 1, args: 'x' }])(
  'what a second instance hands over is refused as %j',
  (data) => {
    expect(parseHandOver(data)).toEqual({ ok: false, error: { code: 'hand_over_of_other_version' } })
  },
)

const switched = (...names: string[]) => forbiddenSwitch((name) => names.includes(name))

it.each(['no-sandbox', 'disable-web-security', 'remote-debugging-port', 'remote-debugging-pipe'])(
  'a packed program does not start with --%s, and names the command that opens the page instead',
  (name) => {
    const [, command, option = ''] = /`handset (\w+)(?: --([\w-]+))?`/.exec(switched(name) ?? '') ?? []
    // It keeps its data where the desktop program keeps it.
    expect(command).toBe('start')
    expect(['', ...Object.keys(startOptions)]).toContain(option)
  },
)

it('other switches of Chromium do no harm', () => {
  expect(switched('disable-gpu', 'ozone-platform')).toBeUndefined()
})
