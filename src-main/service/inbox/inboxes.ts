import type { EventStream, StreamEvent } from '../../http/event-stream.ts'

export type InboxStream = Pick<EventStream, 'send' | 'end'>

export type Inboxes = ReturnType<typeof createInboxes>

export const createInboxes = () => {
  // By workspace and device: every push looks here, and thousands may be open.
  const open = new Map<string, Set<InboxStream>>()
  const keyOf = (workspace: string, device: string): string => `${workspace} ${device}`

  return {
    /** Opens an inbox for pushes from now on; returns the function that closes it. */
    open: (workspace: string, device: string, stream: InboxStream): (() => void) => {
      const key = keyOf(workspace, device)
      open.set(key, (open.get(key) ?? new Set()).add(stream))
      return () => {
        open.get(key)?.delete(stream)
        if (open.get(key)?.size === 0) open.delete(key)
      }
    },
    isOpen: (workspace: string, device: string): boolean => open.has(keyOf(workspace, device)),
    send: (workspace: string, device: string, event: StreamEvent): void => {
      for (const stream of open.get(keyOf(workspace, device)) ?? []) stream.send(event)
    },
    /** Ends one device's inboxes, or a workspace's, or all. */
    end: (workspace?: string, device?: string): void => {
      const prefix = workspace === undefined ? '' : keyOf(workspace, '')
      const keys = device === undefined ? [...open.keys()].filter((key) => key.startsWith(prefix)) : [prefix + device]
      for (const key of keys) for (const stream of open.get(key) ?? []) stream.end()
    },
  }
}
