import { A, type RouteSectionProps } from '@solidjs/router'
import { createEffect, ErrorBoundary, on, Show } from 'solid-js'
import { Announcer } from '../base/announcer.tsx'
import { Logo } from '../base/logo.tsx'
import { closeToasts, Toasts } from '../base/toasts.tsx'
import { baseCopy } from '../language/english/base.ts'
import { shellCopy } from '../language/english/shell.ts'
import { sessionKey } from '../session/session.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { FailedPage } from './failed-page.tsx'
import { GlobalShortcuts } from './global-shortcuts.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import styles from './shell.module.css'

/** The frame around every page. */
export function Shell(props: RouteSectionProps) {
  let main: HTMLElement | undefined
  // After navigation, the focus moves to the new page, so that screen readers start at its beginning. If the page took it to
  // one of its controls, it stays there.
  createEffect(
    on(
      () => props.location.pathname,
      () => main?.contains(document.activeElement) || main?.focus({ preventScroll: true }),
      { defer: true },
    ),
  )
  // Another tab may have signed out, or another user in.
  createEffect(on(sessionKey, closeToasts, { defer: true }))
  return (
    <>
      {/* With a target, the router leaves the link to the browser, which moves the focus. */}
      <a class={styles.skip} href="#main" target="_self">
        {shellCopy.skip}
      </a>
      <header class={styles.header}>
        <A href="/" class={styles.brand} aria-label={baseCopy.home}>
          <Logo />
          <span class={styles.name}>Holdall</span>
        </A>
        <Show when={sessionKey()}>
          <nav class={styles.nav} aria-label={shellCopy.navigation}>
            <A href="/" end class={styles.link}>
              {shellCopy.new}
            </A>
            <A href="/archives" class={styles.link}>
              {shellCopy.archives}
            </A>
            <A href="/keys" class={styles.link}>
              {shellCopy.keys}
            </A>
          </nav>
        </Show>
        <SettingsMenu />
      </header>
      <main ref={main} id="main" tabindex="-1" class={styles.main}>
        <ErrorBoundary fallback={(error, reset) => <FailedPage error={error} onLeave={reset} />}>
          {props.children}
        </ErrorBoundary>
      </main>
      <div class={styles.bottomBar}>
        <Toasts />
        <ConnectionBanner />
      </div>
      <Announcer />
      <GlobalShortcuts />
    </>
  )
}
