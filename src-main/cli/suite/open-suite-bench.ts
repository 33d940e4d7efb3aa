import { DEMO_RP } from '../../bench/control/seed-data.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import { programValues } from '../../testing/suite/start-rp.ts'
import type { Environment } from '../command.ts'
import { ifGiven, needed, notDone } from '../command-end.ts'
import { findBench } from '../find-bench.ts'
import { parseAccessKey } from '../option-values.ts'
import type { suiteOptions } from '../options.ts'
import { startOwnBench } from '../own-bench.ts'
import type { ReadOptions } from '../read-options.ts'

export type SuiteBench = { readonly controlUrl: string; readonly token: string; readonly close: () => Promise<void> }

export const openSuiteBench = async (
  { options, named }: ReadOptions<typeof suiteOptions>,
  environment: Environment,
): Promise<SuiteBench> => {
  if (options.attach === true)
    return { ...findBench(options, environment, named, notDone), close: async () => undefined }
  const keys = ifGiven(options['access-key'], (text) => [parseAccessKey(text, named('access-key'))])
  const rps = [{ ...DEMO_RP, ...withoutUndefined({ keys }) }]
  return needed(await startOwnBench(environment, { port: options.port, seedData: { rps, phones: [] } }), notDone)
}

/** The RP's calls since watching began. */
export type RpCalls = {
  /** The reason why no fault could be tried, if the service got no call of the RP or refused all. */
  problem(): Promise<string | undefined>
}

export const watchRpCalls = async (workspace: Workspace): Promise<RpCalls> => {
  const after = await workspace.lastSeq()
  return {
    problem: async () => {
      const { events } = await workspace.client.call('events.list', {
        query: { after, kind: 'exchange', limit: 10_000, brief: true },
      })
      const calls = events.flatMap((event) => (event.kind === 'exchange' && event.interface === 'rp' ? [event] : []))
      if (calls.some(({ response }) => response.status !== 401)) return undefined
      const { base_url, access_key_id } = await programValues(workspace)
      const what =
        calls.length === 0
          ? 'No call of the RP reached the service.'
          : 'The service refused the signature of each call.'
      return `${what} The RP must call ${base_url} with the access key ${access_key_id} and its secret: let the suite start it, with {base_url}, {access_key_id} and {secret_key} under "start"; or start the suite with the --port and --access-key that your RP has.`
    },
  }
}
