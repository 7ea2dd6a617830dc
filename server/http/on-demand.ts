/**
 * Makes a value when it is first needed, and keeps it. For the schemas of responses, which only the API reference needs: to make
 * all of them takes 4 ms of each start.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
