import type { FileKind } from '../../vocabulary.ts'

/** What a file is for a person, by the extension of its name or of the last part of its URL. Null if that says nothing. */
export function knownFileKind(nameOrUrl: string): FileKind | null {
  const end = /^https?:/i.test(nameOrUrl) ? nameOrUrl.search(/[?#]|$/) : nameOrUrl.length
  const extensionStart = nameOrUrl.lastIndexOf('.', end - 1) + 1
  if (extensionStart === 0) return null
  return KINDS.get(nameOrUrl.slice(extensionStart, end).toLowerCase()) ?? null
}

const EXTENSIONS = {
  image: 'jpg jpeg png gif webp svg avif tif tiff bmp heic ico',
  video: 'mp4 mov mkv webm avi m4v',
  audio: 'mp3 wav flac ogg m4a opus aac',
  document: 'pdf doc docx odt rtf txt md epub ppt pptx odp',
  data: 'csv tsv json xml xls xlsx ods parquet yaml yml sql vtt srt rss atom',
  archive: 'zip gz tar tgz 7z rar bz2 xz zst iso img',
  page: 'html htm xhtml php asp aspx',
} as const

const KINDS: ReadonlyMap<string, FileKind> = new Map(
  (['image', 'video', 'audio', 'document', 'data', 'archive', 'page'] as const).flatMap((kind) =>
    EXTENSIONS[kind].split(' ').map((extension) => [extension, kind] as const),
  ),
)
