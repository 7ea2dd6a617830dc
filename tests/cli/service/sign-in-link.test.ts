import { expect, test } from 'bun:test'
import { signIn } from '../../support/client.ts'
import { firstMatch } from '../../support/first-match.ts'
import { startCommand } from '../../support/holdall-command.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('a service prints the exact command for another sign-in link, with its data directory', async () => {
  using dir = tempDir()
  const data = dir.file("it's data")
  const service = startCommand(['--listen', '127.0.0.1:0', '--no-open', '--data', data])
  const command = await firstMatch(service.stdout, /^Get another sign-in link with: (.+)$/m)
  const { stdout } = Bun.spawnSync(['sh', '-c', command])
  const { key } = await signIn(stdout.toString().trim())
  expect(key).toStartWith('hold_')
  service.kill()
  await service.exited
})
