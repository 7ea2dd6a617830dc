import { request } from './request.ts'
import type { ServiceStatus } from './types.ts'

/** Returns the state of the service. For everybody but the owner this fails with `FORBIDDEN`. */
export async function getService(signal: AbortSignal): Promise<ServiceStatus> {
  const { service } = await request<{ service: ServiceStatus }>('GET', '/service', { signal })
  return service
}
