/** Calls the shop. Throws an Error with a sentence for the user when the shop refuses or cannot be reached. */
export async function call(path, body) {
  let response, answer
  try {
    response = await fetch(path, body === undefined ? {} : {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
    })
    answer = await response.json()
  } catch {
    throw new Error('The shop cannot be reached.')
  }
  if (!response.ok) throw Object.assign(new Error(answer.error ?? 'The shop refused.'), { status: response.status })
  return answer
}
