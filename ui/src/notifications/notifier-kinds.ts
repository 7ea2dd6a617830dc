import BellRing from 'lucide-solid/icons/bell-ring'
import Mail from 'lucide-solid/icons/mail'
import Webhook from 'lucide-solid/icons/webhook'
import type { Notifier, NotifierKind } from '../api/types.ts'

/** The kinds in the order of the choices. */
export const KINDS = [
  { kind: 'email', icon: Mail },
  { kind: 'ntfy', icon: BellRing },
  { kind: 'webhook', icon: Webhook },
] as const satisfies readonly { kind: NotifierKind; icon: unknown }[]

export function iconOf({ kind }: Pick<Notifier, 'kind'>) {
  return (KINDS.find((each) => each.kind === kind) ?? KINDS[0]).icon
}

/** Where its messages go: an address or a URL. */
export function targetOf(notifier: Notifier): string {
  return notifier.kind === 'email' ? notifier.to : notifier.url
}
