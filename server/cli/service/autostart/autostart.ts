// server/decisions/service-managers.md says why the service is installed in this way.

import type { Environment } from '../../../config/config.ts'

/** How the system of a machine starts the service by itself: one file that describes it, and commands that read the file. */
export interface Autostart {
  /** When the service starts, for example `when you log in`. */
  readonly when: string
  readonly path: string
  readonly text: string
  /** What the user has to do in addition, as a sentence. */
  readonly remark?: string
  /** The mode of the file. Settings may contain a secret. */
  readonly mode: number
  /** Commands by which the system starts the service from the next time on, when the file is there. */
  readonly register: readonly CommandLine[]
  /** Commands that start the service now, after these. */
  readonly start: readonly CommandLine[]
  /** Commands that stop the service now. */
  readonly stop: readonly CommandLine[]
  /** Commands after which the system no longer starts the service, before the file is deleted. */
  readonly unregister: readonly CommandLine[]
  /** Commands after the file was deleted. */
  readonly afterRemoval: readonly CommandLine[]
}

/** A program and its arguments. */
export type CommandLine = readonly string[]

/** The machine and the user for whom the service is installed. */
export interface InstallTarget {
  readonly platform: NodeJS.Platform
  /** Null on Windows. */
  readonly userId: number | null
  readonly home: string
  readonly env: Environment
  /** The words that start this program. The paths are absolute. */
  readonly program: CommandLine
  /** The values of settings, by the variable of each. */
  readonly settings: Readonly<Record<string, string>>
}
