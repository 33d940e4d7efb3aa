import { defaultProfile, type Profile, parseProfile } from '../protocol/profile.ts'
import type { Store } from './store/store.ts'
import { calm, parseWeather, type Weather } from './weather.ts'

/** Profile and weather of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  weather(workspace: string): Weather
  setProfile(workspace: string, profile: Profile): Promise<void>
  setWeather(workspace: string, weather: Weather): Promise<void>
  /** Reads them anew: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const profiles = new Map<string, Profile>()
  const weathers = new Map<string, Weather>()
  return {
    profile: (workspace) => profiles.get(workspace) ?? defaultProfile,
    weather: (workspace) => weathers.get(workspace) ?? calm,
    setProfile: async (workspace, profile) => {
      profiles.set(workspace, profile)
      await store.settings.set(workspace, 'profile', profile)
    },
    setWeather: async (workspace, weather) => {
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
      profiles.delete(workspace)
      weathers.delete(workspace)
    },
  }
}
