import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./server/db/schema.ts', './server/db/site-schema.ts', './server/db/schedule-schema.ts'],
  out: './drizzle/migrations',
})
