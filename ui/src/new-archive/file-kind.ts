import Archive from 'lucide-solid/icons/archive'
import File from 'lucide-solid/icons/file'
import FileText from 'lucide-solid/icons/file-text'
import Film from 'lucide-solid/icons/film'
import Globe from 'lucide-solid/icons/globe'
import Image from 'lucide-solid/icons/image'
import Music from 'lucide-solid/icons/music'
import Table from 'lucide-solid/icons/table'
import type { Component } from 'solid-js'

export interface FileKind {
  readonly label: string
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>
}

/** The kind of a file, by the extension of its name. */
export function fileKind(name: string): FileKind {
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return KINDS.find(({ extensions }) => extensions.includes(extension)) ?? OTHER
}

const KINDS: readonly (FileKind & { readonly extensions: readonly string[] })[] = [
  {
    label: 'Image',
    icon: Image,
    extensions: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg', 'avif', 'tif', 'tiff', 'bmp', 'heic', 'ico'],
  },
  { label: 'Video', icon: Film, extensions: ['mp4', 'mov', 'mkv', 'webm', 'avi', 'm4v'] },
  { label: 'Audio', icon: Music, extensions: ['mp3', 'wav', 'flac', 'ogg', 'm4a', 'opus', 'aac'] },
  {
    label: 'Archive',
    icon: Archive,
    extensions: ['zip', 'gz', 'tar', 'tgz', '7z', 'rar', 'bz2', 'xz', 'zst', 'iso', 'img'],
  },
  {
    label: 'Document',
    icon: FileText,
    extensions: ['pdf', 'doc', 'docx', 'odt', 'rtf', 'txt', 'md', 'epub', 'ppt', 'pptx', 'odp'],
  },
  {
    label: 'Data',
    icon: Table,
    extensions: ['csv', 'tsv', 'json', 'xml', 'xls', 'xlsx', 'ods', 'parquet', 'yaml', 'yml', 'sql'],
  },
  { label: 'Web page', icon: Globe, extensions: ['html', 'htm', 'xhtml', 'php', 'asp', 'aspx'] },
]
const OTHER: FileKind = { label: 'File', icon: File }
