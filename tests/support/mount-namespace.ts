/**
 * A command prefix: runs `script` as root in a new mount namespace, and then the command that follows it. Other
 * processes do not see what the script mounts, and the mounts end with the command. `paths` are `$1`, `$2` and so on.
 */
export function inMountNamespace(script: string, ...paths: readonly string[]): string[] {
  const isRoot = process.getuid?.() === 0
  const whole = `${script} && shift ${paths.length} && exec "$@"`
  return ['unshare', isRoot ? '-m' : '-rm', 'sh', '-c', whole, 'sh', ...paths]
}
