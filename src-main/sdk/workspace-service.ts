import { errors } from '../core/contract/errors.ts'
import type { ServiceFaultName } from '../core/contract/service-faults.ts'
import { type Body, type ControlClient, ControlError, type Data } from './client.ts'

export type ArmedFault = Data<'service.arm'> & { disarm(): Promise<void> }

/** The service of a workspace, for faults. */
export type WorkspaceService = {
  /** Applies once, to any user, unless set otherwise: `arm('user-of-another', {scope: {user_id: 'u-1'}})`. */
  arm(fault: ServiceFaultName, how?: Omit<Body<'service.arm'>, 'fault'>): Promise<ArmedFault>
  /** All that is armed; on a lease all that was armed through it. */
  disarm(): Promise<void>
  /** All armed faults, including those of other clients. */
  armed(): Promise<Data<'service.faults'>['faults']>
}

export const serviceOf = (client: ControlClient, own: { readonly lease?: string } = {}): WorkspaceService => {
  const armedHere = new Set<string>()
  return {
    arm: async (fault, how = {}) => {
      const armed = await client.call('service.arm', { body: { ...own, ...how, fault } })
      armedHere.add(armed.id)
      return { ...armed, disarm: () => disarm(client, armed.id) }
    },
    disarm: async () => {
      if (own.lease === undefined) return void (await client.call('service.disarm-all'))
      for (const id of armedHere) {
        await disarm(client, id)
        armedHere.delete(id)
      }
    },
    armed: async () => (await client.call('service.faults')).faults,
  }
}

/** One that is used up is disarmed already. */
const disarm = async (client: ControlClient, id: string): Promise<void> => {
  try {
    await client.call('service.disarm', { params: { id } })
  } catch (error) {
    if (!(error instanceof ControlError) || error.code !== errors.not_found.code) throw error
  }
}
