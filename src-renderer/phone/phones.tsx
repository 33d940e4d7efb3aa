import { Plus, Smartphone } from 'lucide-react'
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ControlPhone } from '../../src-main/core/contract/control/states.ts'
import { useBenchPart } from '../bench/use-bench.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { texts } from '../ui/texts.ts'
import { useAct } from '../ui/use-asked.ts'
import { Phone } from './phone.tsx'
import styles from './phones.module.css'

type PhonesProps = {
  readonly canvas: RefObject<HTMLCanvasElement | null>
  readonly onWatch: (watching: boolean) => void
  /** The device that is being explained: its phone is brought into sight. */
  readonly about: string | undefined
}

/** Not drawn again for every exchange that only the timeline shows. */
export const Phones = memo(({ canvas, onWatch, about }: PhonesProps) => {
  const phones = useBenchPart((state) => state.phones)
  const row = useRef<HTMLDivElement>(null)
  const [first, setFirst] = useState(0)
  const [hidden, setHidden] = useState(false)
  const count = phones.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: one phone more or less changes what fits.
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => setHidden(element.scrollWidth > element.clientWidth + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [count])
  const explained = about === undefined ? -1 : phones.findIndex((phone) => phone.device_id === about)
  useEffect(() => {
    if (hidden && explained >= 0) {
      row.current?.children[explained]?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
    }
  }, [hidden, explained])
  useAskedForward(row, phones, hidden)
  if (count === 0) return <NoPhones />
  const onScroll = () => {
    const stand = row.current?.firstElementChild
    if (row.current === null || stand === null || stand === undefined) return
    const step = stand.clientWidth + Number.parseFloat(getComputedStyle(row.current).columnGap)
    setFirst(Math.round(row.current.scrollLeft / step))
  }
  return (
    <div className={`${styles.frame} grid shrinks`} data-part="phones-frame">
      <div className={`${styles.phones} grid shrinks`} data-part="phones" ref={row} onScroll={onScroll}>
        {phones.map((phone) => (
          <Phone key={phone.id} phone={phone} canvas={canvas} onWatch={onWatch} />
        ))}
      </div>
      {hidden ? (
        <Pager
          phones={phones}
          first={first}
          onGo={(index) => row.current?.children[index]?.scrollIntoView({ inline: 'start', block: 'nearest' })}
        />
      ) : null}
    </div>
  )
})

/** The phone that is asked for something comes into sight, unless one of those asked is there already. */
const useAskedForward = (
  row: RefObject<HTMLElement | null>,
  phones: readonly ControlPhone[],
  hidden: boolean,
): void => {
  const known = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const element = row.current
    // Pushes are not remembered while all phones are in sight, so that they come forward when there is less room.
    if (element === null || !hidden) return
    const asked = phones.map(({ notifications }) => notifications.map(({ msg_id }) => msg_id))
    const news = asked.flatMap((ids, index) => (ids.some((id) => !known.current.has(id)) ? [index] : []))
    known.current = new Set(asked.flat())
    if (news.length === 0 || news.some((index) => isInSight(element, index))) return
    element.children[news[0] ?? 0]?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [row, phones, hidden])
}

const isInSight = (row: HTMLElement, index: number): boolean => {
  const [frame, phone] = [row.getBoundingClientRect(), row.children[index]?.getBoundingClientRect()]
  return phone !== undefined && phone.left >= frame.left - 1 && phone.right <= frame.right + 1
}

type PagerProps = {
  readonly phones: readonly ControlPhone[]
  readonly first: number
  readonly onGo: (index: number) => void
}

/** One dot for each phone, when not all of them fit; its colour says that a push waits there. */
const Pager = ({ phones, first, onGo }: PagerProps) => (
  <nav className={`${styles.pager} flex`} aria-label={texts.phone.pane}>
    {phones.map((phone, index) => (
      <button
        key={phone.id}
        type="button"
        aria-label={texts.phone.goTo(phone.name)}
        title={phone.name}
        aria-current={index === first ? 'true' : undefined}
        data-asked={phone.notifications.length > 0 || undefined}
        onClick={() => onGo(index)}
      />
    ))}
  </nav>
)

const NoPhones = () => {
  const { act, problem } = useAct()
  const [busy, setBusy] = useState(false)
  const add = async () => {
    setBusy(true)
    await act((client) => client.call('phones.create', { body: { name: texts.phone.names[0] } }))
    setBusy(false)
  }
  return (
    <div className={`${styles.none} grid gap-12 muted`} data-part="phone-none">
      <Smartphone size={28} strokeWidth={1.5} aria-hidden="true" />
      <p>{texts.phone.none}</p>
      <Button look="primary" disabled={busy} onClick={() => void add()}>
        <Plus size={14} strokeWidth={1.75} aria-hidden="true" />
        {texts.phone.addFirst}
      </Button>
      <Problem problem={problem} />
    </div>
  )
}
