import { ErrorBoundary } from 'solid-js'
import { Announcer } from '../base/announcer.tsx'
import { Button } from '../base/button.tsx'
import { EmptyState } from '../base/empty-state.tsx'
import { LanguageSwitch } from '../base/language-switch.tsx'
import { Logo } from '../base/logo.tsx'
import { Toasts } from '../base/toasts.tsx'
import { SharePage } from './share-page.tsx'
import styles from './share-shell.module.css'

/** The frame of the page for receivers: no menus, since they have no account here. */
export function ShareShell() {
  return (
    <div class={styles.shell}>
      <header class={styles.header}>
        <a href="/" class={styles.brand} aria-label="Holdall, home">
          <Logo />
          <span class={styles.name}>Holdall</span>
        </a>
      </header>
      <main id="main" tabindex="-1" class={styles.main}>
        <ErrorBoundary
          fallback={
            <EmptyState
              isPage
              title="Couldn’t load this page"
              text="Holdall may have stopped or been updated."
            >
              <Button onClick={() => location.reload()}>Reload</Button>
            </EmptyState>
          }
        >
          <SharePage token={tokenOf(location.pathname)} />
        </ErrorBoundary>
      </main>
      <footer class={styles.footer}>
        <a href="/check">Check a ZIP</a>
        <LanguageSwitch />
      </footer>
      <div class={styles.toasts}>
        <Toasts />
      </div>
      <Announcer />
    </div>
  )
}

/** Of `/share/TOKEN`, or of `/download/TOKEN`, which shows this page once it has expired. */
function tokenOf(path: string): string {
  return path.split('/')[2] ?? ''
}
