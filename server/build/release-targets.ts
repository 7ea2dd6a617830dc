/** A system for which there is a release. */
export interface ReleaseTarget {
  /** In the name of its archive. */
  readonly name: string
  readonly compileTarget: Bun.Build.CompileTarget
  /** The package of its runtime, in `runtimes/package.json`, and the system that npm packages of it name. */
  readonly runtime: { readonly package: string; readonly os: string; readonly cpu: string }
}

export const RELEASE_TARGETS: readonly ReleaseTarget[] = [
  target('linux-x64', 'bun-linux-x64', 'linux-x64', 'linux', 'x64'),
  // For processors from before 2013, which lack AVX2.
  target('linux-x64-baseline', 'bun-linux-x64-baseline', 'linux-x64-baseline', 'linux', 'x64'),
  target('linux-x64-musl', 'bun-linux-x64-musl', 'linux-x64-musl', 'linux', 'x64'),
  target('linux-arm64', 'bun-linux-arm64', 'linux-aarch64', 'linux', 'arm64'),
  target('macos-arm64', 'bun-darwin-arm64', 'darwin-aarch64', 'darwin', 'arm64'),
  target('macos-x64', 'bun-darwin-x64', 'darwin-x64', 'darwin', 'x64'),
  target('windows-x64', 'bun-windows-x64', 'windows-x64', 'win32', 'x64'),
  target('windows-arm64', 'bun-windows-arm64', 'windows-aarch64', 'win32', 'arm64'),
]

function target(
  name: string,
  compileTarget: Bun.Build.CompileTarget,
  runtime: string,
  os: string,
  cpu: string,
): ReleaseTarget {
  return { name, compileTarget, runtime: { package: `@oven/bun-${runtime}`, os, cpu } }
}
