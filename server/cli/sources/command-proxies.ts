import type { Config, Environment } from '../../config/config.ts'
import type { ProxySettings } from '../../fetching/proxies/proxy.ts'
import { type HttpProxy, parseProxy } from '../../fetching/proxies/proxy.ts'
import { UsageError } from '../command.ts'

/**
 * The proxies of a command: those of the settings, else those of the environment as for curl. `HTTP_PROXY` is not used, since a
 * web server can set it from a request (RFC 3875 section 4.1.18).
 * @throws UsageError when a variable names a proxy that can't be used: nothing may go past it
 */
export function commandProxies(
  { proxy, noProxy }: Pick<Config, 'proxy' | 'noProxy'>,
  env: Environment,
): ProxySettings {
  const exempt = noProxy ?? (env.no_proxy || env.NO_PROXY || '')
  if (proxy !== null) return { http: proxy, https: proxy, exempt }
  if (exempt.trim() === '*') return { http: null, https: null, exempt }
  return {
    http: firstOf(['http_proxy', ...OF_ALL], env),
    https: firstOf(['https_proxy', 'HTTPS_PROXY', ...OF_ALL], env),
    exempt,
  }
}

const OF_ALL = ['all_proxy', 'ALL_PROXY']

/** An empty variable counts as unset. */
function firstOf(names: readonly string[], env: Environment): HttpProxy | null {
  const name = names.find((each) => env[each])
  if (name === undefined) return null
  const proxy = parseProxy(env[name] ?? '')
  if (proxy !== null) return proxy
  throw new UsageError(`${name}: expected an http or https proxy. To fetch without it, add --no-proxy '*'.`)
}
