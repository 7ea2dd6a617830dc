/** Above this size, reading a body piece by piece takes less CPU time than reading it whole. */
export const STREAM_BYTES = 512 * 1024
