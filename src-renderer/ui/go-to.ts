import { createContext, useContext } from 'react'

/** The places of the console that something outside it leads to. */
export type ConsolePlace = 'profile' | 'phones' | 'time'

/** With a phone, that one's faults. */
export type GoTo = (place: ConsolePlace, phoneId?: string) => void

export const GoToContext = createContext<GoTo>(() => undefined)

/** Opens the console where something is set. */
export const useGoTo = (): GoTo => useContext(GoToContext)
