import { writeFile } from 'node:fs/promises'
import { createHoldallClient, HoldallError } from 'holdall/client'

const holdall = createHoldallClient({ url: 'http://127.0.0.1:8420', key: process.env.KEY })
try {
  const { id } = await holdall.createJob({
    urls: ['https://example.org/', 'https://example.com/'],
    zip_filename: 'pages',
  })
  for await (const { name, data } of holdall.followJob(id)) {
    if (name === 'progress') console.log(`${data.entries} files, ${data.bytes} bytes`)
  }
  const archive = await holdall.download(await holdall.getJob(id))
  await writeFile('pages.zip', archive.body)
} catch (error) {
  if (!(error instanceof HoldallError)) throw error
  console.error(error.code, error.message, error.issues)
  process.exitCode = 1
}
