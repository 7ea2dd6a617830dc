import Archive from 'lucide-solid/icons/archive'
import File from 'lucide-solid/icons/file'
import FileText from 'lucide-solid/icons/file-text'
import Film from 'lucide-solid/icons/film'
import Globe from 'lucide-solid/icons/globe'
import Image from 'lucide-solid/icons/image'
import Music from 'lucide-solid/icons/music'
import Table from 'lucide-solid/icons/table'
import type { Component } from 'solid-js'
import type { FileKind } from './file-kind.ts'

export const KIND_ICONS: Readonly<Record<FileKind, Component<{ size?: number; 'aria-hidden'?: 'true' }>>> = {
  image: Image,
  video: Film,
  audio: Music,
  document: FileText,
  data: Table,
  archive: Archive,
  page: Globe,
  other: File,
}
