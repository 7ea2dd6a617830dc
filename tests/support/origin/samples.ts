import { crc32, deflateSync } from 'node:zlib'

/** A small valid file of a common type. */
export interface Sample {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Generated, so that the repository holds no binary files. */
export const samples: readonly Sample[] = [
  { name: 'report.pdf', type: 'application/pdf', bytes: pdf('Holdall') },
  { name: 'picture.png', type: 'image/png', bytes: png(64, 64) },
  { name: 'places.json', type: 'application/json', bytes: json(500) },
]

/** A PDF of one page with one line of text and a correct cross-reference table. */
function pdf(text: string): Uint8Array {
  const content = `BT /F1 24 Tf 72 720 Td (${text}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  let table = '0000000000 65535 f \n'
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return new TextEncoder().encode(`${file}xref\n0 ${size}\n${table}${trailer}`)
}

/** A truecolour PNG of a gradient. */
function png(width: number, height: number): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows.set([x * 4, y * 4, 128], y * (1 + width * 3) + 1 + x * 3)
  }
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint16(8, 0x0802) // 8 bits per channel, truecolour
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngPart('IHDR', new Uint8Array(header.buffer)),
    pngPart('IDAT', deflateSync(rows)),
    pngPart('IEND', new Uint8Array()),
  ])
}

function pngPart(type: string, body: Uint8Array): Uint8Array {
  const typed = Buffer.concat([new TextEncoder().encode(type), body])
  const frame = new DataView(new ArrayBuffer(8))
  frame.setUint32(0, body.length)
  frame.setUint32(4, crc32(typed))
  const [length, checksum] = [new Uint8Array(frame.buffer, 0, 4), new Uint8Array(frame.buffer, 4, 4)]
  return Buffer.concat([length, typed, checksum])
}

function json(count: number): Uint8Array {
  const places = Array.from({ length: count }, (_, id) => ({ id, name: `Place ${id}`, latitude: id / 10 }))
  return new TextEncoder().encode(JSON.stringify(places))
}
