import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type ControlClient, createControlClient } from '../../../src-main/sdk/client.ts'
import pageIsBuilt, { ROOT } from './page-is-built.ts'

export { ROOT }

/** What the first line of `serve --json` says, as far as it is used here. */
type Ready = { readonly control_url: string; readonly ui_url: string; readonly token: string }

export type Service = {
  readonly ready: Ready
  readonly port: number
  readonly control: ControlClient
  /** A page's address, good for one visit; that of the workspace main unless told otherwise. */
  readonly invite: (uiUrl?: string) => Promise<string>
  /** As Ctrl-C does; gives the exit code. */
  readonly stop: () => Promise<number | null>
}

/** `handset serve` as anybody starts it: a process of its own. */
export const serve = async (args: readonly string[] = ['--memory', '--port', '0']): Promise<Service> => {
  pageIsBuilt()
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src-main/bin.mjs'), 'serve', '--json', '--until-input-ends', ...args],
    {
      // Windows knows no gentle signal; the end of its input ends it everywhere, also when we end in a hurry.
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  const said: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text))
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line').then(([line]: string[]) => line), exited])
  if (typeof first !== 'string') throw new Error(`handset serve ended with ${first}: ${said.join('')}`)
  const ready: Ready = JSON.parse(first)
  return serviceAt(ready, () => {
    child.stdin.end()
    return exited
  })
}

/** A service that was started somehow, by its control interface. */
export const serviceAt = (
  { control_url, token, ui_url = new URL('/', control_url).href }: Omit<Ready, 'ui_url'> & Partial<Ready>,
  stop: Service['stop'],
): Service => {
  const control = createControlClient({ controlUrl: control_url, token })
  return {
    ready: { control_url, token, ui_url },
    port: Number(new URL(control_url).port),
    control,
    invite: (uiUrl) => inviteTo(control, uiUrl ?? ui_url),
    stop,
  }
}

export const inviteTo = async (control: ControlClient, uiUrl: string): Promise<string> => {
  const { code } = await control.call('session.invite', { body: {} })
  return new URL(`#code=${code}`, uiUrl).href
}
