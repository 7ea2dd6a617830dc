import type { ApiKey, NewApiKey } from '../../keys/api-keys.ts'
import { iso, isoOrNull } from '../json.ts'
import type { ApiKeyJson, NewApiKeyJson } from './schemas.ts'

export function newApiKeyToJson(apiKey: NewApiKey): NewApiKeyJson {
  return { ...apiKeyToJson(apiKey), key: apiKey.key }
}

export function apiKeyToJson(apiKey: ApiKey): ApiKeyJson {
  return {
    id: apiKey.id,
    name: apiKey.name,
    created_at: iso(apiKey.createdAt),
    expires_at: isoOrNull(apiKey.expiresAt),
    last_used_at: isoOrNull(apiKey.lastUsedAt),
    is_browser: apiKey.isBrowser,
  }
}
