import { ReadGate } from '../../../fetching/http1/client.ts'
import { RateShares } from './rate-shares.ts'

/**
 * The gate for a program whose one thread shares its rate with nobody, such as `holdall zip`.
 * @param bytesPerSecond null for no limit, and so no gate
 * @param stack ends the limit
 */
export function openOwnGate(bytesPerSecond: number | null, stack: DisposableStack): ReadGate | null {
  if (bytesPerSecond === null) return null
  const gate = new ReadGate()
  const rate = stack.use(new RateShares(bytesPerSecond))
  const reader = { group: '', granted: (sizeBytes: number) => gate.granted(sizeBytes) }
  gate.connect((owedBytes) => rate.request(reader, owedBytes))
  return gate
}
