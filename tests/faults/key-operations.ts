import { expect } from 'bun:test'
import type { NewApiKeyJson } from '../../server/http/keys/schemas.ts'
import { newSignInLink } from '../support/executable.ts'
import { type Operation, tryRequest } from './operation.ts'
import type { Stage } from './stage.ts'

export const createKey: Operation = {
  name: 'create a key',
  roles: ['main'],
  async prepare(stage) {
    let created: NewApiKeyJson | null = null
    return {
      async run() {
        created =
          (await tryRequest<{ api_key: NewApiKeyJson }>(stage, 'POST', '/api-keys', { name: 'k' }))
            ?.api_key ?? null
        return created !== null
      },
      async check(isDone) {
        if (isDone) expect(await statusWithKey(stage, created?.key ?? '')).toBe(200)
      },
    }
  },
}

export const revokeKey: Operation = {
  name: 'revoke a key',
  roles: ['main'],
  async prepare(stage) {
    const created = await tryRequest<{ api_key: NewApiKeyJson }>(stage, 'POST', '/api-keys', { name: 'k' })
    const { id = '', key = '' } = created?.api_key ?? {}
    return {
      run: async () => (await tryRequest(stage, 'DELETE', `/api-keys/${id}`)) !== null,
      async check(isDone) {
        if (isDone) expect(await statusWithKey(stage, key)).toBe(401)
      },
    }
  },
}

export const signInByLink: Operation = {
  name: 'sign in',
  roles: ['main'],
  async prepare(stage) {
    const token = newSignInLink(stage.holdall).split('#')[1]
    const before = await keyCount(stage)
    let created: NewApiKeyJson | null = null
    return {
      async run() {
        created =
          (await tryRequest<{ api_key: NewApiKeyJson }>(stage, 'POST', '/sign-in', { token }))?.api_key ??
          null
        return created !== null
      },
      async check(isDone) {
        const hasKey = (await keyCount(stage)) > before
        if (isDone) expect(await statusWithKey(stage, created?.key ?? '')).toBe(200)
        // The link must be used up if and only if its key exists.
        const again = await stage.client.request('POST', '/sign-in', { token })
        expect([hasKey, again.status]).toEqual([hasKey, hasKey ? 401 : 201])
      },
    }
  },
}

async function statusWithKey({ holdall }: Stage, key: string): Promise<number> {
  const response = await fetch(`${holdall.address}/me`, { headers: { authorization: `Bearer ${key}` } })
  return response.status
}

async function keyCount(stage: Stage): Promise<number> {
  const listed = await tryRequest<{ api_keys: unknown[] }>(stage, 'GET', '/api-keys')
  return listed?.api_keys.length ?? 0
}
