/** Milliseconds that this process works on something. A clock also counts what others on the machine do meanwhile. */
export const workOf = async (run: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
