/**
 * Node's modules that most threads never need. To load them takes 10 ms, which the start of every thread would pay: these
 * functions load them at the first call.
 */
export const loadZlib = () => process.getBuiltinModule('node:zlib')
export const loadStream = () => process.getBuiltinModule('node:stream')
export const loadDns = () => process.getBuiltinModule('node:dns')
export const loadNet = () => process.getBuiltinModule('node:net')
