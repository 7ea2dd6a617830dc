import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, untilListening } from '../../support/free-port.ts'
import type { Bench } from '../bench.ts'
import { runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { absenceOf, type Contender, NotInstalled } from './contender.ts'

/**
 * ZipStreamer (github.com/scosman/zipstreamer, Go), which sends the archive to its client while it fetches. Measured
 * from the request until curl has written the archive, without the start of the process. It is installed when first
 * used, which needs Go and its module proxy.
 */
export function zipstreamer(bench: Bench, { workload, urls }: Served): Contender {
  return {
    name: ZIPSTREAMER,
    absence: Bun.which(ZIPSTREAMER) === null ? absenceOf('go', 'curl') : absenceOf('curl'),
    isPeer: true,
    async run() {
      const program = Bun.which(ZIPSTREAMER) ?? (await install(bench))
      const request = bench.newPath('zipstreamer.json')
      const out = bench.newPath('zipstreamer.zip')
      const entries = urls.map((url) => ({ Url: url, ZipPath: url.slice(url.lastIndexOf('/') + 1) }))
      writeFileSync(request, JSON.stringify({ entries }))
      const port = await freePort()
      const server = Bun.spawn([program], {
        env: { PORT: `${port}`, ZS_COMPRESSION: workload.content === 'text' ? 'DEFLATE' : '' },
        stdio: ['ignore', 'ignore', 'ignore'],
      })
      try {
        await untilListening(port)
        const url = `http://127.0.0.1:${port}/download`
        const { wallMs } = await runCommand(
          ['curl', '-s', '-f', '-o', out, '--data-binary', `@${request}`, url],
          {
            cwd: bench.workDir,
            signal: bench.signal,
          },
        )
        await bench.verifier.verify(ZIPSTREAMER, out, workload)
        return { [ZIPSTREAMER]: { wallMs, peakBytes: null, archiveBytes: statSync(out).size } }
      } finally {
        server.kill('SIGKILL')
        await server.exited
        rmSync(out, { force: true })
      }
    },
  }
}

/**
 * Go downloads and builds in the directory of the benchmark, with permissions that allow to delete the files.
 * @throws NotInstalled without a network
 */
async function install({ workDir, signal }: Bench): Promise<string> {
  const bin = join(workDir, 'go-bin')
  const program = join(bin, ZIPSTREAMER)
  if (!existsSync(program)) {
    await runCommand(['go', 'install', 'github.com/scosman/zipstreamer@latest'], {
      cwd: workDir,
      signal,
      env: {
        GOBIN: bin,
        GOPATH: join(workDir, 'go-path'),
        GOCACHE: join(workDir, 'go-cache'),
        GOFLAGS: '-modcacherw',
      },
    }).catch(() => {
      signal.throwIfAborted()
      throw new NotInstalled('not installed: go cannot download it')
    })
  }
  return program
}

const ZIPSTREAMER = 'zipstreamer'
