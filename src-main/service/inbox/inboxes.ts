import type { EventStream, StreamEvent } from '../../http/event-stream.ts'

export type InboxStream = Pick<EventStream, 'send' | 'end'>

export type Inboxes = ReturnType<typeof createInboxes>

export const createInboxes = () => {
  // Keyed by workspace and device: every push looks here, and thousands may be open.
  const open = new Map<string, Map<string, Set<InboxStream>>>()
  const at = (workspace: string, device: string): readonly InboxStream[] => [
    ...(open.get(workspace)?.get(device) ?? []),
  ]
  const under = (workspace: string): readonly InboxStream[] =>
    [...(open.get(workspace)?.values() ?? [])].flatMap((streams) => [...streams])

  const close = (workspace: string, device: string, stream: InboxStream): void => {
    const devices = open.get(workspace)
    const streams = devices?.get(device)
    streams?.delete(stream)
    if (streams?.size === 0) devices?.delete(device)
    if (devices?.size === 0) open.delete(workspace)
  }

  return {
    /** Opens an inbox for pushes from now on; returns the function that closes it. */
    open: (workspace: string, device: string, stream: InboxStream): (() => void) => {
      const devices = open.get(workspace) ?? new Map<string, Set<InboxStream>>()
      const streams = devices.get(device) ?? new Set<InboxStream>()
      open.set(workspace, devices.set(device, streams.add(stream)))
      return () => close(workspace, device, stream)
    },
    isOpen: (workspace: string, device: string): boolean => at(workspace, device).length > 0,
    send: (workspace: string, device: string, event: StreamEvent): void => {
      for (const stream of at(workspace, device)) stream.send(event)
    },
    /** Ends one device's inboxes, or a workspace's, or all. */
    end: (workspace?: string, device?: string): void => {
      const ended =
        workspace === undefined
          ? [...open.keys()].flatMap(under)
          : device === undefined
            ? under(workspace)
            : at(workspace, device)
      for (const stream of ended) stream.end()
    },
  }
}
