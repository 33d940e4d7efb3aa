import { EventEmitter } from 'node:events'

/** What the stand-in offers: the members by Electron's name of their type. */
export const OFFERED = new Map<string, Set<string>>()

const NO_MEMBERS = new Set(['constructor', 'prototype', 'length', 'name'])

export const offer = <T extends object>(type: string, object: T): T => {
  const members = OFFERED.get(type) ?? new Set()
  OFFERED.set(type, members)
  for (const name of Object.getOwnPropertyNames(object)) if (!NO_MEMBERS.has(name)) members.add(name)
  if (object instanceof EventEmitter) members.add('on')
  return object
}
