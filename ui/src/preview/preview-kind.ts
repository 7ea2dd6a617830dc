// ui/decisions/previews.md says which elements show a file, and why.

/** How a browser can show a file. */
export type PreviewKind = 'image' | 'video' | 'audio' | 'pdf' | 'text'

/** How a file of this name can be shown; null if it can't. Pages are shown as their text. */
export function previewKind(name: string): PreviewKind | null {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return name.includes('.') ? (KINDS.get(extension) ?? null) : null
}

/** Whether an image is one that a browser draws by what its text says, with as much work as that asks for. */
export function isDrawing(name: string): boolean {
  return /\.svg$/i.test(name)
}

/** Whether a file is shown on a click: not a PDF that would fill the memory, since it is loaded whole. */
export function canPreview({ name, size }: { readonly name: string; readonly size: number }): boolean {
  const kind = previewKind(name)
  return kind !== null && (kind !== 'pdf' || size <= MAX_PDF_BYTES)
}

const MAX_PDF_BYTES = 50_000_000

const EXTENSIONS: Readonly<Record<PreviewKind, string>> = {
  image: 'jpg jpeg png gif webp avif svg bmp ico',
  video: 'mp4 m4v webm mov ogv',
  audio: 'mp3 m4a aac ogg oga opus wav flac',
  pdf: 'pdf',
  text: 'txt md csv tsv json xml yaml yml log srt vtt sql html htm xhtml css js ts py sh ini toml tex rst rss atom',
}

const KINDS: ReadonlyMap<string, PreviewKind> = new Map(
  (['image', 'video', 'audio', 'pdf', 'text'] as const).flatMap((kind) =>
    EXTENSIONS[kind].split(' ').map((extension) => [extension, kind] as const),
  ),
)
