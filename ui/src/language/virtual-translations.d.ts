/** Made by the build, from the files in `translations/`: how to load each of them, by its language. */
declare module 'virtual:translations' {
  export const translations: Readonly<Record<string, () => Promise<Readonly<Record<string, unknown>>>>>
}
