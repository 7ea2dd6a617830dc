import { defineConfig } from 'playwright/test'

/** Runs a real browser against the built executable. Each test starts its own service. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 60_000,
  // The browser, the service and the test servers share one machine, which may also be busy with other work.
  expect: { timeout: 10_000 },
  forbidOnly: true,
  fullyParallel: false,
  workers: 1,
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['line'], ['json']] : [['line']],
  use: {
    launchOptions: {
      executablePath: process.env.HOLDALL_TEST_CHROMIUM ?? '/usr/bin/chromium',
      // Chromium needs --no-sandbox to run as root. The other flags prevent requests to hosts other than Holdall.
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
