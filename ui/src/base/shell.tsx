import { A, type RouteSectionProps } from '@solidjs/router'
import LogOut from 'lucide-solid/icons/log-out'
import { Show } from 'solid-js'
import { session } from '../session/session.ts'
import { Announcer } from './announce.tsx'
import { connection } from './connection.ts'
import { Logo } from './logo.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** What is around every page: the way home, the pages, the theme, the way out. */
export function Shell(props: RouteSectionProps) {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="header">
        <div class="header-inner">
          <A class="brand" href="/" end>
            <Logo />
            Holdall
          </A>
          <Show when={session.key()}>
            <nav aria-label="Pages">
              <A href="/" end>
                New
              </A>
              <A href="/archives">Archives</A>
            </nav>
          </Show>
          <div class="header-tools">
            <ThemeSwitch />
            <Show when={session.key()}>
              <button type="button" class="icon-button" title="Sign out" onClick={() => session.end()}>
                <LogOut aria-hidden="true" />
                <span class="sr-only">Sign out</span>
              </button>
            </Show>
          </div>
        </div>
      </header>
      <div class="banner" role="status" data-shown={connection.isLost()}>
        <Show when={connection.isLost()}>Holdall can’t be reached. Trying again…</Show>
      </div>
      <main id="main" tabindex="-1">
        {props.children}
      </main>
      <Announcer />
    </>
  )
}
