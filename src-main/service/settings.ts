import type { Refusal } from '../protocol/errors.ts'
import { defaultProfile, type Profile, parseProfile } from '../protocol/profile.ts'
import type { Result } from '../protocol/result.ts'
import type { Store } from './store/store.ts'
import { calm, parseWeather, type Weather } from './weather.ts'

type Change<T> = (before: T) => Result<T, Refusal>

/** Profile and weather of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  weather(workspace: string): Weather
  /** One change after the other, each made of what the one before left; in effect once it is stored, and not before. */
  changeProfile(workspace: string, change: Change<Profile>): Promise<Result<Profile, Refusal>>
  changeWeather(workspace: string, change: Change<Weather>): Promise<Result<Weather, Refusal>>
  /** A counter went down: in effect at once, since the next request counts on. */
  countDown(workspace: string, weather: Weather): Promise<void>
  /** Reads them anew: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const profiles = new Map<string, Profile>()
  const weathers = new Map<string, Weather>()
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    const done = (turns.get(workspace) ?? Promise.resolve()).then(work)
    turns.set(
      workspace,
      done.catch(() => undefined),
    )
    return done
  }
  return {
    profile: (workspace) => profiles.get(workspace) ?? defaultProfile,
    weather: (workspace) => weathers.get(workspace) ?? calm,
    changeProfile: (workspace, change) =>
      inTurn(workspace, async () => {
        const profile = change(profiles.get(workspace) ?? defaultProfile)
        if (!profile.ok) return profile
        await store.settings.set(workspace, 'profile', profile.value)
        profiles.set(workspace, profile.value)
        return profile
      }),
    changeWeather: (workspace, change) =>
      inTurn(workspace, async () => {
        const weather = change(weathers.get(workspace) ?? calm)
        if (!weather.ok) return weather
        await store.settings.set(workspace, 'weather', weather.value)
        weathers.set(workspace, weather.value)
        return weather
      }),
    countDown: async (workspace, weather) => {
      weathers.set(workspace, weather)
      await store.settings.set(workspace, 'weather', weather)
    },
    load: async (workspace) => {
      const profile = parseProfile((await store.settings.get(workspace, 'profile')) ?? {})
      const weather = parseWeather((await store.settings.get(workspace, 'weather')) ?? {})
      profiles.set(workspace, profile.ok ? profile.value : defaultProfile)
      weathers.set(workspace, weather.ok ? weather.value : calm)
    },
    forget: (workspace) => {
      turns.delete(workspace)
      profiles.delete(workspace)
      weathers.delete(workspace)
    },
  }
}
