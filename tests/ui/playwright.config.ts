import { defineConfig } from 'playwright/test'

/** A real browser against the built executable, which each test starts for itself. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 60_000,
  // Browser, service and sources share the machine, which may be busy besides.
  expect: { timeout: 10_000 },
  forbidOnly: true,
  fullyParallel: false,
  workers: 1,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    launchOptions: {
      executablePath: process.env.HOLDALL_TEST_CHROMIUM ?? '/usr/bin/chromium',
      // Root needs the first; the others keep the browser from speaking to anyone but Holdall.
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
    trace: 'retain-on-failure',
  },
})
