import type { Link } from '../links/link.ts'
import { previewNames } from './preview-names.ts'

// Computing the names of thousands of links would delay typing, so it runs in this worker.
addEventListener('message', (event: MessageEvent<readonly Link[]>) => postMessage(previewNames(event.data)))
