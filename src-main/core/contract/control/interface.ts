import type { Interface } from '../open-api.ts'
import type { ControlRoute } from './route.ts'
import { CONTROL_PREFIX, routes } from './routes.ts'

export const controlInterface = (version: string): Interface<ControlRoute> => ({
  title: 'Handset control',
  version,
  description:
    'Everything that the page, the command line and scripts do to a bench. What belongs to a workspace is at this address for the workspace main, and below /w/{id} for any other.',
  servers: [
    { url: CONTROL_PREFIX },
    { url: `/w/{workspace}${CONTROL_PREFIX}`, variables: { workspace: { default: 'main' } } },
  ],
  serversOf: ({ scope }) => (scope === 'bench' ? [{ url: CONTROL_PREFIX }] : undefined),
  routes,
  security: { name: 'token', scheme: { type: 'http', scheme: 'bearer' } },
})
