import { fetchResponse, request, toApiError } from './request.ts'
import type { OwnerSettings, SettingChanges } from './types.ts'

// What the owner sets while the service runs. For everybody else these requests fail with `FORBIDDEN`.

/** The settings of a moment. */
export interface LoadedSettings {
  readonly settings: OwnerSettings
  /** For a change that must not overwrite that of somebody else. */
  readonly version: string
}

export async function getSettings(signal: AbortSignal): Promise<LoadedSettings> {
  return await loaded(await fetchResponse('GET', SETTINGS_PATH, { signal }))
}

/** Fails with `PRECONDITION_FAILED` if somebody else has changed settings since `version`. */
export async function changeSettings(body: SettingChanges, version: string): Promise<LoadedSettings> {
  return await loaded(await fetchResponse('PATCH', SETTINGS_PATH, { body, ifMatch: version }))
}

/** Asks the service whether its base URL leads to itself. */
export function checkBaseUrl(): Promise<{ reaches: boolean; problem: string | null }> {
  return request('POST', `${SETTINGS_PATH}/check-base-url`)
}

async function loaded(response: Response): Promise<LoadedSettings> {
  try {
    const { settings }: { settings: OwnerSettings } = await response.json()
    return { settings, version: response.headers.get('etag') ?? '*' }
  } catch (error) {
    throw toApiError(error)
  }
}

const SETTINGS_PATH = '/service/settings'
