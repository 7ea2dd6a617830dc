import { closeSync, openSync, readSync, writeSync } from 'node:fs'

/** Changes one bit of the byte at `position`. */
export function flipByte(path: string, position: number): void {
  const fd = openSync(path, 'r+')
  const byte = new Uint8Array(1)
  readSync(fd, byte, 0, 1, position)
  writeSync(
    fd,
    byte.map((value) => value ^ 0x10),
    0,
    1,
    position,
  )
  closeSync(fd)
}
