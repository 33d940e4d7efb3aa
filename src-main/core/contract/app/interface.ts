import type { Interface } from '../open-api.ts'
import type { InputRules } from '../rp/routes.ts'
import { appRoutes } from './routes.ts'

export const appInterface = (url: string, rules: InputRules): Interface => ({
  title: 'Handset: the app interface',
  version: '1',
  description:
    'What a phone calls. Anyone may write their own phone against it. Every response is `{code, data, error}`; code is 0 on success. A profile may make every HTTP status 200. The limits are those of the workspace’s profile.',
  servers: [{ url }],
  routes: appRoutes(rules),
  errors: [
    'malformed_request',
    'device_not_signed_in',
    'foreign_host',
    'foreign_origin',
    'internal',
    'fault_injected',
    'store_unavailable',
    'storage_full',
  ],
  security: {
    name: 'device_token',
    scheme: { type: 'http', scheme: 'bearer', description: 'The device_token that signing in answered.' },
  },
})
