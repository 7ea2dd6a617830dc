import { Route, Router } from '@solidjs/router'
import { ArchivesPage } from './archive-list/archives-page.tsx'
import { lazyPage } from './base/lazy-page.ts'
import { HomePage } from './new-archive/home-page.tsx'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignedIn } from './sign-in/signed-in.tsx'

// What is not seen at first.
const ArchivePage = lazyPage(async () => (await import('./archive-page/archive-page.tsx')).ArchivePage)
const KeysPage = lazyPage(async () => (await import('./keys/keys-page.tsx')).KeysPage)
const AccountPage = lazyPage(async () => (await import('./account/account-page.tsx')).AccountPage)

/** The pages and their addresses, none of which is the API's. */
export function App() {
  return (
    <Router root={Shell}>
      <Route path="/sign-in" component={SignInPage} />
      <Route component={SignedIn}>
        <Route path="/" component={HomePage} />
        <Route path="/archives" component={ArchivesPage} />
        <Route path="/archives/:id" component={ArchivePage} />
        <Route path="/keys" component={KeysPage} />
        <Route path="/account" component={AccountPage} />
      </Route>
      <Route path="*" component={NotFoundPage} />
    </Router>
  )
}
