import { version } from '../package.json'

/** The version that `holdall version`, `GET /health` and the `User-Agent` of fetches give. */
export const VERSION: string = version
