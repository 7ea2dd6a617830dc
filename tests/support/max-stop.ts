/**
 * In which a stop must end, or else `docker stop` and others kill the service, and what has not reached the disk is lost. The service
 * itself takes eight seconds at most.
 */
export const MAX_STOP_MS = 10_000
