import { dlopen, type FFIFunction, type Library } from 'bun:ffi'

/**
 * Functions of the C library, for what neither Bun nor Node can do.
 * @returns null where no C library has a known name, so everywhere but on Linux
 */
export function loadCLibrary<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions>['symbols'] | null {
  for (const name of NAMES) {
    try {
      return dlopen(name, functions).symbols
    } catch {
      // It has the other name.
    }
  }
  return null
}

/** That of glibc, and that of musl. */
const NAMES = ['libc.so.6', 'libc.so']
