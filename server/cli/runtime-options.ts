import { RUNTIME_OPTIONS } from '../child-environment.ts'

/**
 * Replaces this process by one of the same executable, if its environment must be another one: without the variables by which Bun
 * would trust other certificates or do what nobody asked Holdall for, and, for a command that runs long, with the options of the
 * runtime. All of them are read before any of our code. To be called before anything is opened, and before signals are handled: a
 * signal that arrived meanwhile would be lost.
 *
 * Returns in the new process, where nothing is to change, and where the process can't be replaced. Without the options, everything
 * works, with more time and memory.
 */
export function restartInOwnEnvironment(args: readonly string[], isLong: boolean): void {
  const { env } = process
  const foreign = Object.keys(env).filter((name) => OF_RUNTIME.test(name))
  const lacksOptions = isLong && !Object.keys(RUNTIME_OPTIONS).every((name) => name in env)
  if (foreign.length === 0 && !lacksOptions) return
  const kept = Object.entries(env).filter(([name]) => !OF_RUNTIME.test(name))
  try {
    process.execve?.(process.execPath, [process.argv0, ...args], {
      ...(isLong ? RUNTIME_OPTIONS : {}),
      ...Object.fromEntries(kept),
    })
  } catch {
    // Windows can't do it at all, and Linux not under QEMU. Bun would now warn that `execve` is new.
    process.removeAllListeners('warning')
  }
}

/**
 * Variables that other programs on the machine are configured by, and that Bun heeds in every executable: which certificates are
 * trusted, code to load first, a debugger, requests with their headers on standard error. NODE_EXTRA_CA_CERTS stays: it names
 * certificates to trust beside the others, for a company whose administrator sets it for all programs.
 */
const OF_RUNTIME =
  /^(?:NODE_(?:TLS_REJECT_UNAUTHORIZED|USE_SYSTEM_CA|OPTIONS)|SSL_CERT_(?:FILE|DIR)|BUN_(?:OPTIONS|INSPECT|CONFIG_|FEATURE_FLAG_).*)$/
