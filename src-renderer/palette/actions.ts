import { createContext, type RefObject, useContext, useEffect, useEffectEvent } from 'react'
import type { CommandId } from './desk.ts'

type Place = RefObject<HTMLElement | null>

type Offer = { readonly place: Place; readonly run: () => void }

export type Actions = ReturnType<typeof createActions>

export const createActions = () => {
  const offers = new Map<CommandId, Set<Offer>>()
  /** If several components offer the action, prefers the focused one, then the first visible one. */
  const bestOf = (id: CommandId): Offer | undefined => {
    const visible = [...(offers.get(id) ?? [])].filter(({ place }) => place.current?.checkVisibility() === true)
    return (
      visible.find(({ place }) => place.current?.contains(document.activeElement)) ?? visible.sort(inDocumentOrder)[0]
    )
  }
  return {
    /** Returns a function that withdraws the offer. */
    offer: (id: CommandId, offer: Offer): (() => void) => {
      const known = offers.get(id) ?? new Set()
      offers.set(id, known.add(offer))
      return () => {
        known.delete(offer)
      }
    },
    can: (id: CommandId): boolean => bestOf(id) !== undefined,
    run: (id: CommandId): boolean => {
      const offer = bestOf(id)
      offer?.run()
      return offer !== undefined
    },
  }
}

const inDocumentOrder = (a: Offer, b: Offer): number => {
  const [first, second] = [a.place.current, b.place.current]
  if (first === null || second === null) return 0
  return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
}

export const ActionsContext = createContext<Actions | undefined>(undefined)

export const useActions = (): Actions => {
  const actions = useContext(ActionsContext)
  if (actions === undefined) throw new Error('actions are used outside their context')
  return actions
}

export const PlaceContext = createContext<Place | undefined>(undefined)

/** `run` is undefined while there is nothing to do. */
export const useAction = (id: CommandId | undefined, place: Place, run: (() => void) | undefined): void => {
  const actions = useActions()
  const around = useContext(PlaceContext)
  const act = useEffectEvent(() => run?.())
  const possible = run !== undefined
  useEffect(() => {
    if (id === undefined || !possible) return
    return actions.offer(id, { place: around ?? place, run: () => act() })
  }, [actions, id, possible, around, place])
}
