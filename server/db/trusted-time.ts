import type { Database } from './open.ts'
import { instance } from './schema.ts'

/** The time at which a running service last trusted the clock. */
export function openTrustedTime({ orm }: Database) {
  return {
    read: (): number | null => orm.select().from(instance).get()?.servedAt ?? null,
    write(time: number): void {
      orm.update(instance).set({ servedAt: time }).run()
    },
  }
}
