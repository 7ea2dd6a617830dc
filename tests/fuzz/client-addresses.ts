/**
 * Returns a function that gives another IP address for each call, because wrong keys and tokens are limited per
 * address.
 */
export function clientAddresses(): () => string {
  let count = 0
  return () => {
    count++
    return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
  }
}
