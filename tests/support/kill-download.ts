import type { Subprocess } from 'bun'

/**
 * Runs a command that downloads to a file, until the system kills it: with SIGXFSZ, when it writes more than a megabyte to
 * one file. A kill after a time would race with the command, whose own limit of the rate allows large bursts.
 */
export async function killDownload(command: readonly string[]): Promise<Subprocess['signalCode']> {
  const limited = ['bash', '-c', `ulimit -f ${MAX_FILE_KIB} && exec "$@"`, '--', ...command]
  const download = Bun.spawn(limited, {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH },
  })
  await download.exited
  return download.signalCode
}

const MAX_FILE_KIB = 1024
