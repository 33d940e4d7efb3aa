import type { ServiceFaultName } from '../contract/service-faults.ts'
import type { Body, ControlClient, Data } from './client.ts'

export type ArmedFault = Data<'service.arm'> & { disarm(): Promise<void> }

/** The service of a workspace as something that lies and fails on command. */
export type WorkspaceService = {
  /** Once, towards everybody, unless it says otherwise: `arm('user-of-another', {scope: {user_id: 'u-1'}})`. */
  arm(fault: ServiceFaultName, how?: Omit<Body<'service.arm'>, 'fault'>): Promise<ArmedFault>
  /** All that is armed. */
  disarm(): Promise<void>
  armed(): Promise<Data<'service.faults'>['faults']>
}

export const serviceOf = (client: ControlClient, own: { readonly lease?: string } = {}): WorkspaceService => ({
  arm: async (fault, how = {}) => {
    const armed = await client.call('service.arm', { body: { ...own, ...how, fault } })
    return { ...armed, disarm: () => disarm(client, armed.id) }
  },
  disarm: async () => void (await client.call('service.disarm-all')),
  armed: async () => (await client.call('service.faults')).faults,
})

/** One that is used up is disarmed already. */
const disarm = async (client: ControlClient, id: string): Promise<void> => {
  const { faults } = await client.call('service.faults')
  if (faults.some((each) => each.id === id)) await client.call('service.disarm', { params: { id } })
}
