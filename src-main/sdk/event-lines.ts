/** The data of each server-sent event of a body, as it arrives (WHATWG HTML §9.2.6, as far as this service sends). */
export async function* eventLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const data = dataOf(rest.slice(0, end))
        rest = rest.slice(end + 2)
        if (data !== undefined) yield data
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const dataOf = (block: string): string | undefined => {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'))
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(line[5] === ' ' ? 6 : 5)).join('\n')
}
