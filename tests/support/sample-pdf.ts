/**
 * A PDF of two pages, which asks its reader to run a script (ISO 32000-1, 7.5): a red square in the middle of a page, with a line of
 * text, and a black one on the other, as an image that a fax machine has sent. It has no table of references: readers repair that.
 */
export function samplePdf(script: string): string {
  const square = '1 0 0 rg 50 50 100 100 re f 0 g BT /F1 12 Tf 20 170 Td (Holdall) Tj ET'
  const scan = 'q 100 0 0 100 50 50 cm /Scan Do Q'
  const page = (contents: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${contents} 0 R /Resources 7 0 R >>`
  const image =
    '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 ' +
    '/Filter [/ASCIIHexDecode /CCITTFaxDecode] /DecodeParms [null << /K -1 /Columns 8 /Rows 8 /EndOfBlock false >>]'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 9 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    page(5),
    page(6),
    stream('', square),
    stream('', scan),
    '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /Scan 8 0 R >> >>',
    stream(image, BLACK_FAX),
    `<< /Type /Action /S /JavaScript /JS <${Buffer.from(script).toString('hex')}> >>`,
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return `%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`
}

function stream(entries: string, content: string): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Eight black lines of eight pixels (ITU-T T.6): the first has no white run and a black one of 8, and the others are like it. */
const BLACK_FAX = '26a2fffe>'
