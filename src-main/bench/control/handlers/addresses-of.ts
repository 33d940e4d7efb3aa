import type { ControlParts } from '../control-parts.ts'

export const addressesOf = ({ addresses }: Pick<ControlParts, 'addresses'>, workspace: string) => ({
  base_url: addresses.baseUrl(workspace),
  app_url: addresses.appUrl(workspace),
  control_url: addresses.controlUrl(workspace),
  ui_url: addresses.uiUrl(workspace),
  ...(addresses.target === undefined ? {} : { target: addresses.target }),
})
