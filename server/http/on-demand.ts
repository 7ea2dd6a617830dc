/**
 * Makes a value when it is first needed, and keeps it. For the API reference, and the schemas of responses, which nothing else
 * needs: to make the schemas takes milliseconds, and the reference takes longer than all routes.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
