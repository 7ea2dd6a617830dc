/**
 * Makes a value when it is first needed, and keeps it. For the API reference and the schemas of responses, which only the
 * reference needs. Making them at each start would delay the first answer by milliseconds.
 */
export function onDemand<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
