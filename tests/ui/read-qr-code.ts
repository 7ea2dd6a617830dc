import jsQR from 'jsqr'
import type { Page } from 'playwright/test'

/** Reads the QR code in a picture as another program reads it. The browser decodes the PNG. */
export async function readQrCode(page: Page, png: Uint8Array): Promise<string> {
  // A page without a Content-Security-Policy, which would refuse the picture.
  const decoder = await page.context().newPage()
  const { width, height, pixels } = JSON.parse(
    String(
      await decoder.evaluate(`(async () => {
        const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${Buffer.from(png).toString('base64')}')).blob())
        const { width, height } = picture
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context.drawImage(picture, 0, 0)
        return JSON.stringify({ width, height, pixels: [...context.getImageData(0, 0, width, height).data] })
      })()`),
    ),
  )
  await decoder.close()
  const code = jsQR(new Uint8ClampedArray(pixels), width, height)
  if (code === null) throw new Error('There is no QR code in the picture.')
  return code.data
}
