export type EventLine = { readonly event?: string; readonly data: string }

/** Each server-sent event of a body, as it arrives (WHATWG HTML §9.2.6, as far as this service sends). */
export async function* eventLines(body: ReadableStream<Uint8Array>): AsyncGenerator<EventLine> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const line = lineOf(rest.slice(0, end))
        rest = rest.slice(end + 2)
        if (line !== undefined) yield line
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const lineOf = (block: string): EventLine | undefined => {
  const lines = block.split('\n')
  const valuesOf = (field: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : []))
  const data = valuesOf('data')
  const event = valuesOf('event').at(-1)
  return data.length === 0 ? undefined : { ...(event === undefined ? {} : { event }), data: data.join('\n') }
}
