/** Where the files of the program are: in the source tree, or embedded in the executable. */
export interface ProgramFiles {
  readonly migrationsDir: string
  readonly uiDir: string
  readonly workerUrl: string | URL
  /** The worker of `holdall verify`. */
  readonly verifierUrl: string | URL
}
