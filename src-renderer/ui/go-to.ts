import { createContext, useContext } from 'react'

/** The places of the console that something outside it leads to. */
export type ConsolePlace = 'profile' | 'phones' | 'time'

export const GoToContext = createContext<(place: ConsolePlace) => void>(() => undefined)

/** Opens the console where something is set. */
export const useGoTo = (): ((place: ConsolePlace) => void) => useContext(GoToContext)
