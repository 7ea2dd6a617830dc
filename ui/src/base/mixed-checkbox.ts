import { createEffect } from 'solid-js'

/** Shows a checkbox as mixed while some of what it stands for is selected, and not all. For this, HTML has no attribute. */
export function showMixed(box: HTMLInputElement, isMixed: () => boolean): void {
  createEffect(() => {
    box.indeterminate = isMixed()
  })
}
