import { existsSync } from 'node:fs'
import { dataPaths, openDataRoot } from '../../data/data-dir.ts'
import { rotateSigningSecrets } from '../../downloads/signing-secrets.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError } from '../command.ts'

/** `holdall secret rotate [--end-links]`: signs download links with a new secret. The service may run meanwhile. */
export const secretRotate: Command = async (args, { env, print }) => {
  const { own, config } = readArguments(args, env, { switches: ['end-links'] })
  const { signingSecrets } = dataPaths(config.data, config.archives)
  if (!existsSync(signingSecrets))
    throw new CommandError(`There are no secrets in ${config.data}. Name the data directory with --data.`)
  openDataRoot(config.data)
  const endsLinks = own['end-links'] === 'true'
  rotateSigningSecrets(signingSecrets, endsLinks)
  print(
    endsLinks
      ? 'A new secret signs download links. Earlier links have ended.'
      : 'A new secret signs download links. Earlier links work until their archives expire.',
  )
}
