import Ellipsis from 'lucide-solid/icons/ellipsis'
import Lock from 'lucide-solid/icons/lock'
import Pencil from 'lucide-solid/icons/pencil'
import Trash from 'lucide-solid/icons/trash'
import Users from 'lucide-solid/icons/users'
import { Show } from 'solid-js'
import { isOwn } from '../api/sites.ts'
import type { ListedSite, Site } from '../api/types.ts'
import { formatFullDateTime, formatRelative } from '../base/format.ts'
import { ListRow } from '../base/list-row.tsx'
import { Menu, MenuItem, MenuSeparator } from '../base/menu.tsx'
import { useNow } from '../base/now.ts'
import { sitesCopy } from '../language/english/sites.ts'

export interface SiteRowProps {
  site: ListedSite
  onEdit: (site: Site) => void
  onDelete: (site: Site) => void
}

/** A site in the list: what is sent, when it was last used, and whether a source has refused it. */
export function SiteRow(props: SiteRowProps) {
  const own = () => (isOwn(props.site) ? props.site : undefined)
  return (
    <Show when={own()} fallback={<SharedSiteRow site={props.site} />}>
      {(site) => (
        <OwnSiteRow
          site={site()}
          onEdit={() => props.onEdit(site())}
          onDelete={() => props.onDelete(site())}
        />
      )}
    </Show>
  )
}

function OwnSiteRow(props: { site: Site; onEdit: () => void; onDelete: () => void }) {
  const now = useNow()
  const copy = sitesCopy.row
  const isExpired = () => props.site.expires_at !== null && Date.parse(props.site.expires_at) <= now()
  const tone = () => (isExpired() ? 'muted' : props.site.refused_at === null ? undefined : 'danger')
  return (
    <ListRow
      icon={Lock}
      tone={tone()}
      title={props.site.name}
      badge={props.site.shared ? copy.shared : undefined}
      details={
        <>
          <Show when={props.site.refused_at}>
            {(at) => (
              <span data-tone="danger" title={formatFullDateTime(at())}>
                {copy.refused(relative(at(), now()))}
              </span>
            )}
          </Show>
          <Show when={props.site.expires_at}>
            {(at) => (
              <time
                data-tone={isExpired() ? 'danger' : undefined}
                datetime={at()}
                title={formatFullDateTime(at())}
              >
                {(isExpired() ? copy.expired : copy.expires)(formatRelative(at(), now()))}
              </time>
            )}
          </Show>
          <span>{reachOf(props.site)}</span>
          <span>{props.site.header_names.join(', ')}</span>
          <Show when={props.site.last_used_at} fallback={<span>{copy.neverUsed}</span>}>
            {(at) => (
              <time datetime={at()} title={formatFullDateTime(at())}>
                {copy.lastUsed(relative(at(), now()))}
              </time>
            )}
          </Show>
        </>
      }
    >
      <Menu label={copy.actions(props.site.name)} icon={Ellipsis}>
        <MenuItem icon={Pencil} onSelect={() => props.onEdit()}>
          {copy.edit}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={Trash} danger onSelect={() => props.onDelete()}>
          {copy.delete}
        </MenuItem>
      </Menu>
    </ListRow>
  )
}

function SharedSiteRow(props: { site: ListedSite }) {
  return (
    <ListRow
      icon={Users}
      title={props.site.name}
      badge={sitesCopy.row.sharedWithYou}
      details={<span>{sitesCopy.row.reach(props.site.origin)}</span>}
    />
  )
}

function reachOf({ origin, include_subdomains }: Site): string {
  return (include_subdomains ? sitesCopy.row.reachWithSubdomains : sitesCopy.row.reach)(origin)
}

/** What has happened is never in the future, even if the clocks differ. */
function relative(at: string, now: number): string {
  return formatRelative(at, Math.max(now, Date.parse(at)))
}
