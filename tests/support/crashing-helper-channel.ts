/** The name of a `BroadcastChannel`. */
export const CRASHING_HELPER_CHANNEL = 'crashing-helper'
