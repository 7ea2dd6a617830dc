import BellRing from 'lucide-solid/icons/bell-ring'
import Mail from 'lucide-solid/icons/mail'
import Webhook from 'lucide-solid/icons/webhook'
import type { Notifier, NotifierKind } from '../api/types.ts'

/** How a person calls each kind, in the order of the choices. */
export const KINDS = [
  { kind: 'email', label: 'E-mail', icon: Mail },
  { kind: 'ntfy', label: 'ntfy', icon: BellRing },
  { kind: 'webhook', label: 'Webhook', icon: Webhook },
] as const satisfies readonly { kind: NotifierKind; label: string; icon: unknown }[]

export function iconOf({ kind }: Pick<Notifier, 'kind'>) {
  return (KINDS.find((each) => each.kind === kind) ?? KINDS[0]).icon
}

/** Where its messages go: an address or a URL. */
export function targetOf(notifier: Notifier): string {
  return notifier.kind === 'email' ? notifier.to : notifier.url
}
