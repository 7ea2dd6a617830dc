/**
 * The longest time, in seconds of a processor, that input which anyone may send can take. Work in proportion to the input takes
 * a tenth of it; work that grows with its square takes minutes.
 */
export const MAX_HOSTILE_INPUT_SECONDS = 2

/** The seconds of processor time that this process takes for `work`. Those of others on the machine hardly change it. */
export function processorSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  return secondsSince(before)
}

/** The same for work that waits. Nothing else may go on in this process meanwhile. */
export async function processorSecondsUntil(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  return secondsSince(before)
}

function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
