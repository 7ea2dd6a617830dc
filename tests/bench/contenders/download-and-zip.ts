import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { type CommandOptions, runCommand } from '../command.ts'
import type { Served } from '../origin/start.ts'
import { absenceOf, type Contender, CURL_ZIP_0 } from './contender.ts'

/** A download program, followed by Info-ZIP's zip. Level 0 stores, and level 6, the default of zip, deflates. */
export function downloadAndZip(bench: Bench, served: Served): Contender[] {
  const zipped = (name: string, downloader: Downloader, level: 0 | 6) =>
    fileContender(bench, served, { name, downloader, level })
  if (served.workload.content === 'text') {
    return [
      zipped(CURL_ZIP_0, curl, 0),
      zipped('curl -Z, zip -6', curl, 6),
      zipped('aria2c, zip -6', aria2c, 6),
    ]
  }
  return [
    zipped(CURL_ZIP_0, curl, 0),
    zipped('aria2c, zip -0', aria2c, 0),
    zipped('16 x wget, zip -0', wget, 0),
  ]
}

export function curlAndZip(bench: Bench, served: Served): Contender {
  return fileContender(bench, served, { name: CURL_ZIP_0, downloader: curl, level: 0 })
}

/** `curl -Z` alone: files in a directory, and no archive. */
export function curlAlone(bench: Bench, served: Served): Contender {
  return fileContender(bench, served, { name: 'curl -Z', downloader: curl, level: null })
}

/** The number of connections that each download program may use. */
export const PEER_CONNECTIONS = 16

/** Downloads all URLs to a directory. */
interface Downloader {
  readonly program: string
  download(served: Served, directory: string, options: CommandOptions): Promise<unknown>
}

interface FileContenderOptions {
  readonly name: string
  readonly downloader: Downloader
  /** Null for no archive. */
  readonly level: 0 | 6 | null
}

function fileContender(
  bench: Bench,
  served: Served,
  { name, downloader, level }: FileContenderOptions,
): Contender {
  return {
    name,
    absence: absenceOf(downloader.program, ...(level === null ? [] : ['zip'])),
    isPeer: true,
    async run() {
      const work = bench.newPath('downloads')
      const files = join(work, 'files')
      mkdirSync(files, { recursive: true })
      const out = join(work, 'out.zip')
      const options = { cwd: files, signal: bench.signal }
      const startedMs = performance.now()
      await downloader.download(served, files, options)
      if (level !== null) await runCommand(['zip', `-${level}`, '-q', '-r', '-D', out, '.'], options)
      const wallMs = performance.now() - startedMs
      if (level !== null) await bench.verifier.verify(name, out, served.workload)
      const archiveBytes = level === null ? null : statSync(out).size
      // ext4 creates files slowly for minutes after many deletes. So many files stay until the end.
      rmSync(served.workload.count < MANY_FILES ? work : out, { recursive: true, force: true })
      return { [name]: { wallMs, peakBytes: null, archiveBytes } }
    },
  }
}

const MANY_FILES = 400

const curl: Downloader = {
  program: 'curl',
  download({ urls }, directory, options) {
    const config = `${directory}.conf`
    writeFileSync(config, urls.map((url) => `url = "${url}"\nremote-name`).join('\n'))
    return runCommand(
      ['curl', '-s', '-f', '-Z', '--parallel-max', `${PEER_CONNECTIONS}`, '-K', config],
      options,
    )
  },
}

/** It saves no state for a later continuation: that takes half of its time for small files. */
const aria2c: Downloader = {
  program: 'aria2c',
  download: ({ listPath }, directory, options) =>
    runCommand(
      [
        'aria2c',
        '--quiet',
        '--no-conf',
        `--max-concurrent-downloads=${PEER_CONNECTIONS}`,
        '--max-connection-per-server=1',
        '--file-allocation=none',
        '--auto-save-interval=0',
        '--auto-file-renaming=false',
        `--input-file=${listPath}`,
        `--dir=${directory}`,
      ],
      options,
    ),
}

/** wget uses one connection, so 16 processes share the list. */
const wget: Downloader = {
  program: 'wget',
  download({ urls }, directory, options) {
    const shares = Array.from({ length: Math.min(PEER_CONNECTIONS, urls.length) }, (_, share) => {
      const list = `${directory}-${share}.list`
      writeFileSync(list, urls.filter((_, index) => index % PEER_CONNECTIONS === share).join('\n'))
      return list
    })
    return Promise.all(
      shares.map((list) => runCommand(['wget', '-q', '-t', '1', '-i', list, '-P', directory], options)),
    )
  },
}
