import * as icons from 'lucide-react'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { RpState } from '../../src-main/core/contract/control/states.ts'
import { errors } from '../../src-main/core/contract/errors.ts'
import { profileSettings } from '../../src-main/core/contract/profile.ts'
import type { RpCare } from '../../src-main/core/contract/rp-care.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { findOtherRefusal, findShownRequest, type RpView, toRpView } from '../bench/rp-view.ts'
import standStyles from '../bench/stand.module.css'
import { useBenchPart, useTools } from '../bench/use-bench.ts'
import { pageName } from '../session.ts'
import { useDeletions } from '../ui/deletions.tsx'
import { runAfter } from '../ui/effects.ts'
import { shortDate } from '../ui/format.ts'
import { refusalWords } from '../ui/messages.ts'
import { Form, IconButton, Lasting, Pick, Problem, ProblemText, RpMark } from '../ui/primitives.tsx'
import { texts } from '../ui/texts.ts'
import { navigateTo } from '../ui/use-address.ts'
import { useQuery, useRunAction } from '../ui/use-asked.ts'
import { RequestView } from './request-view.tsx'
import rpPartsStyles from './rp-parts.module.css'
import { Concluded, RpButton, RpFoot, WhyButton } from './rp-parts.tsx'
import styles from './rp-window.module.css'
import { type RpActions, useRpActions } from './use-rp-actions.ts'

type RpWindowProps = {
  readonly rp: RpState
  readonly rps: readonly RpState[]
  readonly onPickRp: (id: string) => void
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly watched: boolean
  readonly onWhy: (msgId: string) => void
  readonly onLook: (seq: number) => void
}

/** The relying party's own page in a browser window: part of the simulation, not of the tool. */
export const RpWindow = ({ rp, rps, onPickRp, canvas, watched, onWhy, onLook }: RpWindowProps) => {
  const { store } = useTools()
  const [username, setUsername] = useState('alice')
  const [chosen, setChosen] = useState<'register' | 'sign-in'>()
  // While the count is being fetched, the form stays unchanged, so that it does not flicker with each letter.
  const [held, setHeld] = useState<number | 'untold'>()
  const [dismissed, setDismissed] = useState(0)
  // The view that the list of passkeys covers; the list closes when this view changes.
  const [managedOver, setManagedOver] = useState<string>()
  const view = toRpView(
    useBenchPart(({ timeline }) => findShownRequest({ timeline, rpId: rp.id, page: pageName(), dismissed })),
  )
  const about =
    view.kind === 'request' ? view.message : view.kind === 'turned-down' && view.userId !== '' ? view : undefined
  const who = about?.username ?? username
  const userId = about?.userId ?? username.trim()
  const shown = view.kind === 'request' ? view.message.msgId : view.kind
  const managing = managedOver === shown
  const passkeys = usePasskeyCount(rp.id, userId)
  if (passkeys !== undefined && passkeys !== held) setHeld(passkeys)
  // A user without a passkey gets the registration form.
  const live = useBenchPart((state) => state.connection === 'live')
  const form = chosen ?? (held === 0 ? 'register' : held === undefined && live ? undefined : 'sign-in')
  const registering = form === 'register'
  const actions = useRpActions(rp.id, { userId, username: who.trim() })
  const startAgain = (register?: boolean) => {
    setManagedOver(undefined)
    setUsername(who)
    setChosen(register === undefined ? undefined : register ? 'register' : 'sign-in')
    // Everything from before the page was opened is dismissed too, even if it has not arrived yet.
    const { lastSeq, newAfter } = store.getState()
    setDismissed(Math.max(lastSeq, newAfter))
  }

  return (
    <section className={standStyles.stand} data-part="rp-stand" aria-label={texts.rp.pane}>
      <div className={`${standStyles.caption} row narrows gap-6 weight-560`} data-part="caption">
        <Pick
          name={texts.rp.pane}
          value={rp.id}
          options={rps.map(({ id, name }) => ({ value: id, text: name }))}
          onPick={onPickRp}
          more={{
            text: `${texts.console.addRp}…`,
            onChoose: () => navigateTo({ screen: 'console', place: { kind: 'new-rp' } }),
          }}
        />
        <span className={`${standStyles.sub} faint weight-430`}>{who}</span>
        {typeof passkeys !== 'number' ? null : (
          <button
            type="button"
            className={`${standStyles.sub} ${styles.passkeys} push-right inline-flex middle gap-6 small faint one-line weight-430 rounded-6 min-h-24 px-6`}
            aria-pressed={managing}
            aria-label={texts.rp.showKeys(texts.rp.passkeys(passkeys))}
            onClick={() => setManagedOver(managing ? undefined : shown)}
          >
            <icons.KeyRound size={13} />
            {texts.rp.passkeys(passkeys)}
          </button>
        )}
        <HoldClock />
      </div>
      {/* The user on the page, for commands. */}
      <div
        className={`${styles.window} column shortens cut raised bank-ink bg-bank-page rounded-12`}
        data-part="rp-window"
        data-rp={rp.id}
        data-user={userId}
        data-username={who.trim()}
      >
        <div className="row rigid gap-6 small muted relative bg-chrome bank-line-below h-34 px-6">
          <button
            className="centred rigid faint tint-hovers rounded-6 w-24 h-24"
            type="button"
            aria-label={texts.rp.again}
            title={texts.rp.again}
            onClick={() => startAgain()}
          >
            <icons.RotateCcw size={12} />
          </button>
          <span className="row fill clip gap-5 centre">
            <icons.Lock size={11} />
            {siteOf(rp)}
          </span>
          <CareSwitch rpId={rp.id} />
        </div>
        <div className={`${rpPartsStyles.page} column grow shortens breaks relative`}>
          <Lasting busy={actions.busy} />
          <header className={`${styles.brand} row rigid gap-8 p-12-18-0`}>
            <RpMark variant={rps.indexOf(rp)} />
            <b className="narrows clip">{rp.name}</b>
            {view.kind === 'request' || managing || form === undefined ? null : (
              <button
                className="push-right small one-line bank-muted"
                type="button"
                onClick={() => startAgain(!registering)}
              >
                {registering ? texts.rp.form.toSignIn : texts.rp.form.toRegister}
              </button>
            )}
          </header>
          {managing ? (
            <Passkeys
              key={`${rp.id} ${userId}`}
              rpId={rp.id}
              userId={userId}
              username={who.trim()}
              onRegister={() => startAgain(true)}
              onBack={() => setManagedOver(undefined)}
            />
          ) : view.kind === 'form' ? (
            form === undefined ? null : (
              <SignInForm username={username} onUsername={setUsername} registering={registering} actions={actions} />
            )
          ) : view.kind === 'request' ? (
            <RequestView
              message={view.message}
              canvas={canvas}
              watched={watched}
              actions={actions}
              onAgain={startAgain}
              onWhy={() => onWhy(view.message.msgId)}
            />
          ) : (
            <TurnedDown
              view={view}
              onAgain={startAgain}
              onRegister={actions.register}
              busy={actions.busy}
              onWhy={() => onLook(view.seq)}
            />
          )}
          {view.kind === 'form' || actions.problem === undefined ? null : (
            <p className="small text-center balanced leading-17 fail bg-bank-soft p-0-18-10" role="alert">
              <ProblemText problem={actions.problem} />
            </p>
          )}
        </div>
        <ElsewhereNote rpId={rp.id} onLook={onLook} />
      </div>
    </section>
  )
}

const siteOf = (rp: RpState): string => (rp.origins[0] ?? rp.rp_id).replace(/^https?:\/\//, '')

/** Delay before the passkeys of a typed name are counted, so that not every letter causes a call. */
const STAYS_MS = 60

/** Fetched again at every change; undefined until it is known. */
const usePasskeyCount = (rpId: string, userId: string): number | 'untold' | undefined => {
  const { api } = useTools()
  const settings = useBenchPart((state) => state.settings)
  const live = useBenchPart((state) => state.connection === 'live')
  const [answer, setAnswer] = useState<{ readonly of: string; readonly count: number | 'untold' }>()
  const of = `${rpId} ${userId}`
  useEffect(() => {
    if (!live || userId === '') return
    void settings
    return runAfter(STAYS_MS, async (isCurrent) => {
      const query = { rp: rpId, user_id: userId }
      const result = await api.call((client) => client.call('credentials.list', { query }))
      if (isCurrent()) setAnswer({ of, count: result.ok ? result.value.credentials.length : 'untold' })
    })
  }, [api, rpId, userId, of, settings, live])
  return answer?.of === of ? answer.count : undefined
}

/** Switches between an RP that checks the service's answers and one that trusts them. */
const CareSwitch = ({ rpId }: { readonly rpId: string }) => {
  const words = texts.rp.care
  const { send } = useRunAction()
  const params = { rp: rpId }
  const care = useQuery((client) => client.call('simulator.get', { params }), rpId)?.care ?? 'careful'
  const other: RpCare = care === 'careful' ? 'careless' : 'careful'
  const Icon = care === 'careful' ? icons.ShieldCheck : icons.ShieldOff
  return (
    <button
      type="button"
      role="switch"
      className={`${styles.care} tint-hovers rigid small muted middle gap-5 rounded-6 weight-530 one-line inline-flex h-24 p-0-7`}
      data-care={care}
      aria-checked={care === 'careful'}
      aria-label={words.name}
      title={words.leads[care]}
      onClick={() => send('simulator.patch', { params, body: { care: other } })}
    >
      <Icon size={13} />
      {words.cares[care]}
    </button>
  )
}

/** Stops the clock of the bench, so that a code does not expire while it is being explained. */
const HoldClock = () => {
  const words = texts.rp
  const clock = useBenchPart((state) => state.clock)
  const { send } = useRunAction()
  if (clock === undefined) return null
  const { frozen } = clock
  const Icon = frozen ? icons.Play : icons.Snowflake
  return (
    <IconButton
      Icon={Icon}
      size={13}
      className={styles.holdClock}
      name={frozen ? words.letRun : words.hold}
      aria-pressed={frozen}
      onClick={() => send('clock.put', { body: { frozen: !frozen } })}
    />
  )
}

type ElsewhereNoteProps = { readonly rpId: string; readonly onLook: (seq: number) => void }

/** The note stays until it is dismissed. The inspector shows the reason. */
const ElsewhereNote = ({ rpId, onLook }: ElsewhereNoteProps) => {
  const words = texts.rp.elsewhere
  const newAfter = useBenchPart((state) => state.newAfter)
  const [dismissed, setDismissed] = useState(0)
  const refused = useBenchPart(({ timeline }) => findOtherRefusal(timeline, rpId))
  if (refused === undefined || refused.seq <= Math.max(newAfter, dismissed)) return null
  return (
    <aside className={styles.elsewhere} aria-label={words.title} aria-live="polite">
      <icons.Unplug className="rigid fail" />
      <p className="fill">
        {words.lead} <code className="fail">{refused.code}</code> {refusalWords({ code: refused.code })}
      </p>
      <WhyButton onWhy={() => onLook(refused.seq)} />
      <IconButton Icon={icons.X} size={13} name={texts.deleted.dismiss} onClick={() => setDismissed(refused.seq)} />
    </aside>
  )
}

type TurnedDownProps = {
  readonly view: Extract<RpView, { kind: 'turned-down' }>
  readonly onAgain: (register: boolean) => void
  readonly onRegister: () => void
  readonly busy: boolean
  readonly onWhy: () => void
}

/** Shown if the service refused to create a message. */
const TurnedDown = ({ view, onAgain, onRegister, busy, onWhy }: TurnedDownProps) => {
  const words = texts.rp
  const signedWrong = view.code === errors.signature_mismatch.code
  const unknownUser = view.code === 40403
  const noKey = view.unread === true && view.code === errors.unknown_access_key.code
  return (
    <>
      <Concluded
        sign={{ tone: 'fail', Icon: icons.X, size: 26 }}
        title={view.registering ? words.failed.register : words.failed.signIn}
        lead={view.unread === true ? words.unread : (words.turnedDown[view.code] ?? words.turnedDownOther)}
        next={
          unknownUser
            ? { text: words.goRegister, busy, go: onRegister }
            : { text: words.failed.tryAgain, busy, go: () => onAgain(view.registering) }
        }
      />
      <RpFoot>
        <code className="fail">{view.code}</code>{' '}
        {refusalWords({ code: view.code, ...(signedWrong ? {} : { data: { reason: view.reason } }) })}
        {noKey ? <> {words.activeKey}</> : null}
        {unknownUser ? null : <WhyButton onWhy={onWhy} />}
      </RpFoot>
    </>
  )
}

type SignInFormProps = {
  readonly username: string
  readonly onUsername: (username: string) => void
  readonly registering: boolean
  readonly actions: RpActions
}

const SignInForm = ({ username, onUsername, registering, actions }: SignInFormProps) => {
  const words = texts.rp.form
  const ready = username.trim() !== '' && !actions.busy
  const submit = () => {
    if (!ready) return
    if (registering) actions.register()
    else actions.signIn('qrcode')
  }
  return (
    <Form className={`${rpPartsStyles.form} column gap-10 shortens scrolls-y m-auto p-12-0-18`} onSubmit={submit}>
      <h2>{registering ? words.register : words.signIn}</h2>
      <p className="text-center balanced bank-muted">{registering ? words.registerLead : words.signInLead}</p>
      <label className={`${styles.field} row gap-9 bank-muted rounded-8 h-40 px-12`}>
        <icons.UserRound size={15} />
        <input
          className="fill text-14 bank-ink"
          aria-label={words.username}
          placeholder={words.username}
          value={username}
          maxLength={profileSettings.username_max.rule.max}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onUsername(event.target.value)}
        />
      </label>
      <RpButton
        Icon={icons.QrCode}
        type="submit"
        disabled={!ready}
        text={registering ? words.registerButton : words.byCode}
      />
      {registering ? null : (
        <RpButton
          Icon={icons.Smartphone}
          quiet
          disabled={!ready}
          onClick={() => actions.signIn('push')}
          text={words.byPush}
        />
      )}
      {actions.problem === undefined ? null : (
        <p className="text-center balanced fail mt-4" role="alert">
          <ProblemText problem={actions.problem} />
        </p>
      )}
    </Form>
  )
}

type PasskeysProps = {
  readonly rpId: string
  readonly userId: string
  readonly username: string
  readonly onRegister: () => void
  readonly onBack: () => void
}

type Listed = Awaited<ReturnType<typeof listPasskeys>>['credentials']

const listPasskeys = (client: ControlClient, rp: string, user_id: string) =>
  client.call('simulator.credentials', { params: { rp }, query: { user_id } })

/** The RP's signed calls list and delete the passkeys, and the timeline shows them like all others. */
const Passkeys = ({ rpId, userId, username, onRegister, onBack }: PasskeysProps) => {
  const words = texts.rp.keys
  const connection = useBenchPart((state) => state.connection)
  const { act, problem } = useRunAction()
  const { remove, undone } = useDeletions()
  const [listed, setListed] = useState<Listed>()
  const load = useCallback(
    () => act(async (client) => setListed((await listPasskeys(client, rpId, userId)).credentials)),
    [act, rpId, userId],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: restored passkeys must be listed again.
  useEffect(() => {
    if (connection === 'live') void load()
  }, [connection, load, undone])

  const drop = ({ credential_id: id, credential_name: name }: Listed[number]) =>
    remove({
      name,
      run: async () => {
        const params = { rp: rpId, id }
        const query = { user_id: userId }
        return (await act((client) => client.call('simulator.delete-credential', { params, query }))) && load()
      },
      undo: (client) => client.call('credentials.undelete', { params: { id }, body: {} }),
    })

  return (
    <div className={`${rpPartsStyles.keys} column gap-8 shortens scrolls-y m-auto p-10-0-14`}>
      <h2>{words.title}</h2>
      <p className="text-center bank-muted">{listed?.length === 0 ? words.none : words.lead(username)}</p>
      <Problem problem={problem} />
      <ul>
        {listed?.map((each) => (
          <li className="row gap-10 p-8-4" key={each.credential_id}>
            <icons.KeyRound size={16} />
            <span className="fill">
              <b className="clip block weight-560">{each.credential_name}</b>
              <small className="small bank-muted">{words.since(shortDate(Date.parse(each.created_at)))}</small>
            </span>
            <button
              className="centred rigid bank-muted rounded-6 w-28 h-28"
              type="button"
              aria-label={texts.deleted.delete(each.credential_name)}
              title={texts.deleted.delete(each.credential_name)}
              onClick={() => void drop(each)}
            >
              <icons.Trash2 size={15} />
            </button>
          </li>
        ))}
      </ul>
      <RpButton quiet onClick={onRegister} text={words.add} />
      <button className="underlined text-13 bank-muted" type="button" onClick={onBack}>
        {words.back}
      </button>
    </div>
  )
}
