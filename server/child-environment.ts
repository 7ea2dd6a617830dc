/**
 * Options of our JavaScript engine (JavaScriptCore), allocator (mimalloc) and runtime (Bun), which they read from the environment at
 * the start of a process (decisions/start.md).
 */
export const RUNTIME_OPTIONS = {
  // The optimizing compiler needs more time than its code saves, even in a job of 70,000 tiny files.
  BUN_JSC_useFTLJIT: '0',
  // How often a function must run before it is compiled, and compiled again with optimizations: 10 times and twice as often as by
  // default. Each thread compiles for itself, and a short job ends before its code has paid for that.
  BUN_JSC_thresholdForJITAfterWarmUp: '5000',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '2000',
  // Otherwise, on a machine with 16 GiB or more, a heap may become 16 times as large before garbage is collected.
  BUN_JSC_heapGrowthFunctionThresholdInMB: '1000000000',
  // The least that a thread allocates between two collections, in bytes: 3.5 times as much as by default. A received body counts
  // twice, although its memory is freed at once. With 16 MiB, a job of 5,000 files takes a fifth longer and 8 MB less. With 32 MiB
  // it is 4 percent faster and takes 3 MB more, which the budget of 140 MB does not have.
  BUN_JSC_largeHeapSize: `${28 * 1024 * 1024}`,
  // About every second collection is a full one: the others keep all objects that were in use at an earlier one.
  BUN_JSC_minEdenToOldGenerationRatio: '0.9',
  // One thread marks what is in use. Further ones are faster only for large heaps, and take the processors from fetching.
  BUN_JSC_numberOfGCMarkers: '1',
  // A collection stops its thread, for some milliseconds. Otherwise it marks objects in small steps, with more work in all.
  BUN_JSC_useConcurrentGC: '0',
  // Otherwise, Bun collects garbage during the start, too, and then every second. The engine's own collections are enough.
  BUN_GC_TIMER_DISABLE: '1',
  // Otherwise, a thread of its own gets memory for objects from the system in advance, although collections free enough of it.
  BUN_JSC_useWarmUpMarkedBlocks: '0',
  // How long freed memory is kept before the system gets it back, in milliseconds. Until the next collection at least, so that it is
  // used again, but not for a second, since large bodies would take 10 MB more.
  MIMALLOC_PURGE_DELAY: '100',
} as const

/**
 * The environment for a program that we start: without the options of our own runtime, which would change one with the same
 * engine or allocator, such as a browser or a script, and without our settings, which may contain a password.
 */
export function childEnvironment(): Record<string, string | undefined> {
  const ours = new Map<string, string>(Object.entries(RUNTIME_OPTIONS))
  const isForIt = ([name, value]: [string, string | undefined]) =>
    ours.get(name) !== value && !OWN_SETTING.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(isForIt))
}

/** With the credentials of the archive store. */
const OWN_SETTING = /^HOLDALL_|^AWS_(?:SECRET_ACCESS_KEY|SESSION_TOKEN)$/
