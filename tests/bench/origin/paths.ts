import { LARGE_BODY_BYTES, type Workload } from '../workloads.ts'

/** One of the different bodies of a workload: its folder in URLs, and the seed of its content. */
export interface BodyKind {
  readonly path: string
  readonly seed: number
}

/** The different bodies: enough to exceed the CPU caches, but few enough for the memory of the origin. */
export function bodyKinds({ count, sizeBytes }: Workload): BodyKind[] {
  const length = sizeBytes < LARGE_BODY_BYTES ? Math.min(count, DIFFERENT_SMALL_BODIES) : 1
  return Array.from({ length }, (_, index) => ({ path: `/${index + 1}`, seed: index + 1 }))
}

/** The path of each URL. All file names are different. */
export function paths(workload: Workload): string[] {
  const kinds = bodyKinds(workload)
  return Array.from({ length: workload.count }, (_, index) => {
    const seed = kinds[index % kinds.length]?.seed ?? 0
    return `/${seed}/file-${`${index}`.padStart(5, '0')}.${extension(workload, seed)}`
  })
}

/** Text alternates between the two formats, by the seed. */
function extension({ content }: Workload, seed: number): string {
  if (content === 'noise') return 'jpg'
  return seed % 2 === 0 ? 'json' : 'html'
}

const DIFFERENT_SMALL_BODIES = 64
