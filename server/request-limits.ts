/**
 * What one request may contain, whatever the plan (sections 4 and 8 of the specification). The web interface and the command line
 * use the same numbers, so that they never ask for what the service refuses. The web interface imports this file, which must stay
 * pure.
 */
export const REQUEST_LIMITS = {
  urlCharacters: 8_192,
  zipFilenameCharacters: 255,
  /** Allows folders: each segment is cut to 255 bytes when the name is made safe. */
  filenameCharacters: 4_096,
  /**
   * Of all file names of a job: 400 for each of 5,000 files. A job has them in memory several times until it ends; one with 20 million took
   * 460 MB.
   */
  jobFilenameCharacters: 2_000_000,
  metadataPairs: 10,
  metadataKeyCharacters: 128,
  metadataValueCharacters: 1_024,
  apiKeyNameCharacters: 255,
  userNameCharacters: 64,
  siteNameCharacters: 255,
  scheduleNameCharacters: 100,
  /** Archives that a schedule keeps. */
  keptArchives: 100,
  cronCharacters: 255,
  /** Of a pattern for links. The longest takes 0.1 ms with the longest URL. */
  matchCharacters: 255,
  timeZoneCharacters: 64,
  accessTokenCharacters: 1_024,
  /** Of the headers for one origin: names and values in all. Servers refuse more. */
  headerBytes: 16_384,
  /** How many origins one job can have headers for, and their bytes in all. */
  jobHeaderOrigins: 100,
  jobHeaderBytes: 65_536,
  /** Items on one page of a list. */
  pageSize: 100,
  /** Entries on one page: 5,000 URLs take five pages. A page of the longest URLs has 10 MB. */
  entryPageSize: 1_000,
  /** Of the positions in a link to some files of an archive. Proxies accept links of 8 KB. */
  positionsCharacters: 6_000,
  /** Files that describe a job in a list: enough for a small picture, and 100 jobs are read in 10 ms. */
  sampledFiles: 24,
} as const
