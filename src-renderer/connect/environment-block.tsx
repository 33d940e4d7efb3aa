import { Eye, EyeOff, Plus } from 'lucide-react'
import { useState } from 'react'
import type { AccessKeyState, RpState } from '../../src-main/core/contract/control/states.ts'
import { shellWord } from '../../src-main/core/protocol/shell-word.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Problem } from '../ui/problem.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import { useStoredChoice } from '../ui/use-stored.ts'
import styles from './connect-pane.module.css'

/** Configuration for a server: the service and its RP. */
type Environment = {
  readonly baseUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  readonly rpId: string
  readonly origin: string
}

const SHELLS = ['bash', 'PowerShell'] as const

type Shell = (typeof SHELLS)[number]

const LINES: Readonly<Record<Shell, (name: string, value: string) => string>> = {
  // Files that name variables read it the same way.
  bash: (name, value) => `export ${name}=${shellWord(value)}`,
  // To PowerShell a typographic quote is a quote, too.
  PowerShell: (name, value) => `$env:${name} = '${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
}

export const environmentText = (
  { baseUrl, accessKeyId, secretKey, rpId, origin }: Environment,
  shell: Shell = 'bash',
): string =>
  Object.entries({
    BASE_URL: baseUrl,
    ACCESS_KEY_ID: accessKeyId,
    SECRET_KEY: secretKey,
    RP_ID: rpId,
    ORIGIN: origin,
  })
    .map(([name, value]) => LINES[shell](name, value))
    .join('\n')

const USUAL_SHELL: Shell = navigator.userAgent.includes('Windows') ? 'PowerShell' : 'bash'

const HIDDEN = '•'.repeat(20)

/** The configuration for a server, with this RP’s values. The secret is asked for when it is shown or copied. */
export const EnvironmentBlock = ({
  rp,
  access,
}: {
  readonly rp: RpState
  readonly access: AccessKeyState | undefined
}) => {
  const words = texts.connect
  const baseUrl = useBenchPart((state) => state.overview?.addresses.base_url)
  const { act, problem } = useAct()
  const [shown, setShown] = useState<{ readonly key: string; readonly secret: string }>()
  const [shell, setShell] = useStoredChoice('handset.shell', SHELLS, USUAL_SHELL)
  if (baseUrl === undefined) return null
  if (access === undefined) {
    return (
      <div className={styles.noKey}>
        <p>{texts.console.keys.none}</p>
        <Button
          look="primary"
          onClick={() => void act((client) => client.call('keys.create', { params: { rp: rp.id }, body: {} }))}
        >
          <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
          {texts.console.keys.add}
        </Button>
        <Problem problem={problem} />
      </div>
    )
  }
  const secret = shown?.key === access.id ? shown.secret : undefined
  const reveal = async (): Promise<string> => {
    let text = secret
    await act(async (client) => {
      text ??= (await client.call('keys.reveal', { params: { rp: rp.id, key: access.id }, body: {} })).secret
    })
    if (text === undefined) throw new Error('refused')
    return text
  }
  const textWith = (secretKey: string): string =>
    environmentText({ baseUrl, accessKeyId: access.id, secretKey, rpId: rp.rp_id, origin: rp.origins[0] ?? '' }, shell)
  return (
    <>
      <div className={styles.block}>
        <pre data-part="connect-environment">{textWith(secret ?? HIDDEN)}</pre>
        <div className={styles.tools}>
          <CopyButton name={words.copyEnvironment} text={async () => `${textWith(await reveal())}\n`} />
          <Button
            look="ghost"
            onClick={() =>
              secret === undefined
                ? void reveal().then(
                    (text) => setShown({ key: access.id, secret: text }),
                    () => undefined,
                  )
                : setShown(undefined)
            }
          >
            {secret === undefined ? (
              <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
            ) : (
              <EyeOff size={14} strokeWidth={1.75} aria-hidden="true" />
            )}
            {secret === undefined ? words.showSecret : words.hideSecret}
          </Button>
          <span className="push-right">
            <Segmented
              name={words.shell}
              value={shell}
              options={SHELLS.map((value) => ({ value, text: value }))}
              onPick={setShell}
            />
          </span>
        </div>
      </div>
      <Problem problem={problem} />
    </>
  )
}
