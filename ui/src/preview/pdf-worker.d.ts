/** Made by the build: where the worker of pdf.js is, and the directory of its decoders. */
declare module 'virtual:pdf-worker' {
  export const workerUrl: string
  export const decodersUrl: string
}
