import { expect, test } from 'bun:test'
import { startCommand } from '../support/holdall-command.ts'
import { tempDir } from '../support/temp-dir.ts'

test('a service prints the exact command for another sign-in link, with its data directory', async () => {
  using dir = tempDir()
  const data = dir.file("it's data")
  const service = startCommand(['--listen', '127.0.0.1:0', '--no-open', '--data', data])
  const command = await printed(service.stdout, /^Get another sign-in link with: (.+)$/m)
  const { stdout } = Bun.spawnSync(['sh', '-c', command])
  const link = new URL(stdout.toString().trim())
  const reply = await fetch(`${link.origin}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.hash.slice(1) }),
  })
  expect(reply.status).toBe(201)
  service.kill()
  await service.exited
})

/** Reads until a line matches. @returns its first group */
async function printed(stdout: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stdout) {
    text += decoder.decode(bytes, { stream: true })
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  throw new Error(`No line ${pattern} in: ${text}`)
}
