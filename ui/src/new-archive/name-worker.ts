import { numberDuplicates } from '../../../server/archive/names/entry-name.ts'
import type { Link } from '../links/link.ts'
import { expectedName } from './expected-name.ts'

// Computing the names of thousands of links would delay typing, so it runs in this worker.
addEventListener('message', ({ data }: MessageEvent<readonly Link[]>) =>
  postMessage(numberDuplicates(data.map(expectedName))),
)
