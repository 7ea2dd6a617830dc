import { Route, Router } from '@solidjs/router'
import { ArchivesPage } from './archive-list/archives-page.tsx'
import { ArchivePage } from './archive-page/archive-page.tsx'
import { lazyPage } from './base/lazy-page.ts'
import { NotFoundPage } from './shell/not-found-page.tsx'
import { Shell } from './shell/shell.tsx'
import { RequireSignIn } from './sign-in/require-sign-in.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'

// Pages that a visitor seldom opens first are not part of the first download.
const KeysPage = lazyPage(async () => (await import('./keys/keys-page.tsx')).KeysPage)
const AccountPage = lazyPage(async () => (await import('./account/account-page.tsx')).AccountPage)
const UsersPage = lazyPage(async () => (await import('./users/users-page.tsx')).UsersPage)
const ServicePage = lazyPage(async () => (await import('./service/service-page.tsx')).ServicePage)
const SchedulesPage = lazyPage(async () => (await import('./schedules/schedules-page.tsx')).SchedulesPage)
const SchedulePage = lazyPage(async () => (await import('./schedules/schedule-page.tsx')).SchedulePage)
const SitesPage = lazyPage(async () => (await import('./sites/sites-page.tsx')).SitesPage)
const NotificationsPage = lazyPage(
  async () => (await import('./notifications/notifications-page.tsx')).NotificationsPage,
)
const NotifierPage = lazyPage(async () => (await import('./notifications/notifier-page.tsx')).NotifierPage)
const AddToBrowserPage = lazyPage(
  async () => (await import('./add-to-browser/add-to-browser-page.tsx')).AddToBrowserPage,
)
const CheckZipPage = lazyPage(async () => (await import('./check-zip/check-zip-page.tsx')).CheckZipPage)

/** The routes. None of them is a path of the API, nor of the page for receivers, which is a document of its own. */
export function App() {
  return (
    <Router root={Shell} scrollRestoration>
      <Route path="/sign-in" component={SignInPage} />
      <Route component={RequireSignIn}>
        {/* One page, which stays when a new archive gets its address. */}
        <Route path={['/', '/archives/:id']} component={ArchivePage} />
        <Route path="/archives" component={ArchivesPage} />
        <Route path="/keys" component={KeysPage} />
        <Route path="/account" component={AccountPage} />
        <Route path="/add-to-browser" component={AddToBrowserPage} />
        <Route path="/account/schedules" component={SchedulesPage} />
        <Route path="/account/schedules/:id" component={SchedulePage} />
        <Route path="/account/sites" component={SitesPage} />
        <Route path="/account/notifications" component={NotificationsPage} />
        <Route path="/account/notifications/:id" component={NotifierPage} />
        <Route path="/admin/users" component={UsersPage} />
        <Route path="/admin/service" component={ServicePage} />
      </Route>
      {/* For receivers of archives, too. */}
      <Route path="/check" component={CheckZipPage} />
      <Route path="*" component={NotFoundPage} />
    </Router>
  )
}
