import type { Database } from './open.ts'
import { instance } from './schema.ts'

/** What the clock said when a service last trusted it. */
export function openTrustedTime({ orm }: Database) {
  return {
    read: (): number | null => orm.select().from(instance).get()?.servedAt ?? null,
    write(time: number): void {
      orm.update(instance).set({ servedAt: time }).run()
    },
  }
}
