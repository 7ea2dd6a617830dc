import { rmSync } from 'node:fs'
import { type ServiceOrigin, writeServiceOrigin } from '../data/service-origin.ts'
import type { Settings } from './settings.ts'

/** Tells commands on this machine where the service is, also after a change of its base URL, until it stops. */
export function tellOrigin(
  settings: Settings,
  path: string,
  { localOrigin, runId }: Omit<ServiceOrigin, 'origin'>,
): Disposable {
  const write = () =>
    writeServiceOrigin(path, { origin: settings.current.baseUrl ?? localOrigin, localOrigin, runId })
  write()
  settings.onChange(write)
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) }
}
