import type { Link } from './parse-links.ts'
import { previewNames } from './preview-names.ts'

// Names of thousands of links take longer than a key may be kept waiting: they are found beside the page.
addEventListener('message', (event: MessageEvent<readonly Link[]>) => postMessage(previewNames(event.data)))
