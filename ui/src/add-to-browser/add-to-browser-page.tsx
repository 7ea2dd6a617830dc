import { createUniqueId, type ParentProps } from 'solid-js'
import { Card } from '../base/card.tsx'
import { CopyButton } from '../base/copy-button.tsx'
import { PageHeader } from '../base/page.tsx'
import { Snippet } from '../base/snippet.tsx'
import styles from './add-to-browser-page.module.css'
import { bookmarklet } from './bookmarklet.ts'

/** How to send links to Holdall from other pages, phones and programs. */
export function AddToBrowserPage() {
  const origin = window.location.origin
  return (
    <>
      <PageHeader title="Add to browser" lead="Send links to Holdall from anywhere." />
      <Part title="A button for every page">
        <p>
          Drag this button to your bookmarks bar, or create a bookmark with its address. On any page, it opens
          Holdall with the links of that page, or with those in your selection.
        </p>
        <p class={styles.actions}>
          <a
            class={styles.bookmarklet}
            // Runs only as a bookmark: this page runs no scripts of addresses.
            href={bookmarklet(origin)}
            draggable="true"
          >
            Send to Holdall
          </a>
          <CopyButton variant="ghost" label="Copy bookmark address" text={() => bookmarklet(origin)} />
        </p>
      </Part>
      <Part title="Install as an app">
        <p>
          Choose “Install Holdall” or “Add to Home screen” in the menu of your browser. Holdall then has its
          own window and icon. On Android, it also appears in the share menu of other apps.
        </p>
        <p>Browsers offer this only at https addresses, and on the computer that runs Holdall.</p>
      </Part>
      <Part title="A link that fills the list">
        <p>Any text with links can follow this address. Nothing is packed until you press Pack.</p>
        <Snippet
          label="Address"
          copyLabel="Copy address"
          text={`${origin}/#urls=https://example.org/a.pdf`}
        />
      </Part>
    </>
  )
}

function Part(props: ParentProps<{ title: string }>) {
  const id = createUniqueId()
  return (
    <section class={styles.part} aria-labelledby={id}>
      <Card isPadded>
        <h2 id={id}>{props.title}</h2>
        {props.children}
      </Card>
    </section>
  )
}
