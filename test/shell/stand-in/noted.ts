import { EventEmitter } from 'node:events'
import { report } from './machine.ts'

/** What the stand-in offers: the members by Electron's name of their type. */
export const OFFERED = new Map<string, Set<string>>()

let program = '\0'

/** Only calls out of this folder are noted: the stand-in's calls to itself are none of the shell's. */
export const noteCallsOf = (folderUrl: string): void => {
  program = folderUrl
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

const isCalledByProgram = (callee: AnyFunction | object): boolean => {
  const here: { stack?: string } = {}
  Error.captureStackTrace(here, callee as AnyFunction)
  const [, caller = ''] = here.stack?.split('\n') ?? []
  return caller.includes(program)
}

export const noteCall = (call: string): void => report('call', { call })

const withNotes = (name: string, real: AnyFunction): AnyFunction =>
  function noting(...args) {
    if (!isCalledByProgram(noting)) return Reflect.apply(real, this, args)
    const call = /\.(on|once)$/.test(name) ? `${name}(${args[0]})` : name
    noteCall(call)
    const noted = args.map((arg) =>
      typeof arg !== 'function'
        ? arg
        : (...heard: unknown[]) => {
            noteCall(`${call} → handler`)
            return arg(...heard)
          },
    )
    return Reflect.apply(real, this, noted)
  }

const NO_MEMBERS = new Set(['constructor', 'prototype', 'length', 'name'])

/** The object; what the program calls of it is reported by Electron’s name, and so is each handler when it runs. */
export const offer = <T extends object>(type: string, object: T): T => {
  const members = OFFERED.get(type) ?? new Set()
  OFFERED.set(type, members)
  const own = Object.entries(Object.getOwnPropertyDescriptors(object)).map(
    ([name, { value }]) => [name, value] as const,
  )
  const events =
    object instanceof EventEmitter
      ? ([
          ['on', object.on],
          ['once', object.once],
        ] as const)
      : []
  for (const [name, value] of [...own, ...events]) {
    if (NO_MEMBERS.has(name)) continue
    members.add(name)
    if (typeof value === 'function') Object.defineProperty(object, name, { value: withNotes(`${type}.${name}`, value) })
  }
  return object
}

export const offerClass = <T extends new (...args: never[]) => object>(type: string, made: T): T => {
  offer(type, made.prototype)
  offer(type, made)
  const handler: ProxyHandler<T> = {
    construct: (target, args, newTarget) => {
      if (isCalledByProgram(handler.construct ?? handler)) noteCall(`new ${type}`)
      return Reflect.construct(target, args, newTarget)
    },
  }
  return new Proxy(made, handler)
}
