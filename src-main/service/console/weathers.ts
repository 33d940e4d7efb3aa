import { type Refusal, refuse } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { calm, parseWeather, type Weather } from '../weather.ts'
import type { Console } from './console.ts'
import { inWorkspace, type Parts, tellSetting } from './parts.ts'

export const weatherOf = (parts: Parts): Console['weather'] => {
  const { settings } = parts.services
  const set = async (workspace: string, weather: Weather, change: string): Promise<Result<Weather, Refusal>> => {
    await settings.setWeather(workspace, weather)
    tellSetting(parts, workspace, { subject: 'weather', change, detail: weather })
    return ok(weather)
  }
  const layOver = async (workspace: string, base: Weather, part: unknown): Promise<Result<Weather, Refusal>> => {
    const weather = parseWeather(part, base)
    return weather.ok ? set(workspace, weather.value, 'changed') : err(refuse('invalid_parameter', weather.error))
  }
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.weather(workspace))),
    patch: (workspace, part) =>
      inWorkspace(parts, workspace, () => layOver(workspace, settings.weather(workspace), part)),
    replace: (workspace, part) => inWorkspace(parts, workspace, () => layOver(workspace, calm, part)),
    reset: (workspace) => inWorkspace(parts, workspace, () => set(workspace, calm, 'reset')),
  }
}
