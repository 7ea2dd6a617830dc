/** What a file is for a person, by the extension of its name. */
export type FileKind = keyof typeof EXTENSIONS | 'other'

/** The kind of a file, by its name or by the last part of its URL. */
export function fileKind(nameOrUrl: string): FileKind {
  const end = /^https?:/i.test(nameOrUrl) ? nameOrUrl.search(/[?#]|$/) : nameOrUrl.length
  const extensionStart = nameOrUrl.lastIndexOf('.', end - 1) + 1
  if (extensionStart === 0) return 'other'
  return KINDS.get(nameOrUrl.slice(extensionStart, end).toLowerCase()) ?? 'other'
}

export const KIND_LABELS: Readonly<Record<FileKind, { readonly one: string; readonly many: string }>> = {
  image: { one: 'Image', many: 'images' },
  video: { one: 'Video', many: 'videos' },
  audio: { one: 'Audio file', many: 'audio files' },
  document: { one: 'Document', many: 'documents' },
  data: { one: 'Data file', many: 'data files' },
  archive: { one: 'Archive', many: 'archives' },
  page: { one: 'Web page', many: 'web pages' },
  other: { one: 'File', many: 'other files' },
}

const EXTENSIONS = {
  image: 'jpg jpeg png gif webp svg avif tif tiff bmp heic ico',
  video: 'mp4 mov mkv webm avi m4v',
  audio: 'mp3 wav flac ogg m4a opus aac',
  document: 'pdf doc docx odt rtf txt md epub ppt pptx odp',
  data: 'csv tsv json xml xls xlsx ods parquet yaml yml sql',
  archive: 'zip gz tar tgz 7z rar bz2 xz zst iso img',
  page: 'html htm xhtml php asp aspx',
} as const

const KINDS: ReadonlyMap<string, FileKind> = new Map(
  (['image', 'video', 'audio', 'document', 'data', 'archive', 'page'] as const).flatMap((kind) =>
    EXTENSIONS[kind].split(' ').map((extension) => [extension, kind] as const),
  ),
)
