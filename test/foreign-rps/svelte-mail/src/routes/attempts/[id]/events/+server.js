import { error } from '@sveltejs/kit'
import { sessionOf } from '$lib/server/sessions.js'

// Server-sent events: the attempt as it stands, then each change, until its end.
export function GET(event) {
  const attempt = sessionOf(event)?.attempt
  // Another browser learns nothing, even when it knows the id.
  if (attempt?.id !== event.params.id) error(404, 'There is no such attempt.')
  let send
  const stream = new ReadableStream({
    start(controller) {
      send = () => {
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(attempt.view)}\n\n`))
        if (attempt.active) return
        attempt.off('change', send)
        controller.close()
      }
      attempt.on('change', send)
      send()
    },
    cancel: () => void attempt.off('change', send),
  })
  return new Response(stream, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } })
}
