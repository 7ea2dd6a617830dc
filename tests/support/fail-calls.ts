/** System calls on some files that fail with EIO, as those of a disk that breaks, until disposed of (strace). */
export interface FailedCalls extends AsyncDisposable {
  /** How many calls have failed so far. */
  count(): number
}

/**
 * @param calls the names of the system calls, as `pread64,read`
 * @param when which of them fail in each thread, as strace counts them: `1+` for all, `3` for the third
 */
export async function failCalls(
  pid: number,
  calls: string,
  paths: readonly string[],
  when = '1+',
): Promise<FailedCalls> {
  const child = Bun.spawn(
    [
      'strace',
      '-f',
      '-s',
      '0',
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:error=EIO:when=${when}`,
      ...paths.flatMap((path) => ['-P', path]),
      '-p',
      `${pid}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let text = ''
  const attached = Promise.withResolvers<void>()
  const reading = (async () => {
    for await (const bytes of child.stderr) {
      text += new TextDecoder().decode(bytes)
      if (text.includes('attached')) attached.resolve()
    }
    attached.reject(new Error(`strace could not trace the service: ${text}`))
  })()
  await attached.promise
  return {
    count: () => text.match(/\(INJECTED\)/g)?.length ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
      await reading
    },
  }
}
