import { createUniqueId, type ParentProps } from 'solid-js'
import { Card } from '../base/card.tsx'
import { CopyButton } from '../base/copy-button.tsx'
import { PageHeader } from '../base/page.tsx'
import { Snippet } from '../base/snippet.tsx'
import { addToBrowserCopy } from '../language/english/add-to-browser.ts'
import styles from './add-to-browser-page.module.css'
import { bookmarklet } from './bookmarklet.ts'

/** How to send links to Holdall from other pages, phones and programs. */
export function AddToBrowserPage() {
  const origin = window.location.origin
  return (
    <>
      <PageHeader title={addToBrowserCopy.title} lead={addToBrowserCopy.lead} />
      <Part title={addToBrowserCopy.button}>
        <p>{addToBrowserCopy.buttonText}</p>
        <p class={styles.actions}>
          <a
            class={styles.bookmarklet}
            // Runs only as a bookmark: this page runs no scripts of addresses.
            href={bookmarklet(origin)}
            draggable="true"
          >
            {addToBrowserCopy.send}
          </a>
          <CopyButton
            variant="ghost"
            label={addToBrowserCopy.copyBookmark}
            text={() => bookmarklet(origin)}
          />
        </p>
      </Part>
      <Part title={addToBrowserCopy.app}>
        <p>{addToBrowserCopy.appText}</p>
        <p>{addToBrowserCopy.appWhere}</p>
      </Part>
      <Part title={addToBrowserCopy.link}>
        <p>{addToBrowserCopy.linkText}</p>
        <Snippet
          label={addToBrowserCopy.address}
          copyLabel={addToBrowserCopy.copyAddress}
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
