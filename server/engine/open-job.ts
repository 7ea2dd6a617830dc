export type { UnfinishedArchive as OpenJob } from './unfinished-archive.ts'
