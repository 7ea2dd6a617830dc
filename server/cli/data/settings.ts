import { assertRestored, dataPaths } from '../../data/data-dir.ts'
import { CHANGEABLE } from '../../settings/changeable.ts'
import { readConfirmationCode } from '../../settings/confirmation.ts'
import { readOwnerSettings } from '../../settings/settings-file.ts'
import { openSealing } from '../../sites/sealing.ts'
import { readArguments } from '../arguments.ts'
import { type Command, CommandError } from '../command.ts'
import { findRunningService } from './running-service.ts'

/**
 * `holdall settings`: one line per setting that the owner has changed in the interface: its name, its value (not that of a secret), and
 * `unused` if a flag or the environment wins, separated by tabs.
 */
export const settingsList: Command = async (args, { env, print }) => {
  const { config } = readArguments(args, env)
  assertRestored(config.data)
  const { settings, sealingKey } = dataPaths(config.data)
  const { texts } = readOwnerSettings(settings, () => openSealing(sealingKey))
  for (const setting of CHANGEABLE) {
    const text = texts[setting.name]
    if (text === undefined) continue
    const shown = setting.change.isSecret ? '...' : typeof text === 'string' ? text : JSON.stringify(text)
    const isUsed = config.givenBy[setting.name] === undefined
    print([setting.flag, shown, ...(isUsed ? [] : ['unused'])].join('\t'))
  }
}

/** `holdall settings code`: the code that confirms one change of settings in the interface of the running service. */
export const settingsCode: Command = async (args, { env, print }) => {
  const { config } = readArguments(args, env)
  await findRunningService(config)
  const code = readConfirmationCode(dataPaths(config.data).settingsCode)
  if (code === null) throw new CommandError('The service has no code. Restart it, then try again.')
  print(code)
}
