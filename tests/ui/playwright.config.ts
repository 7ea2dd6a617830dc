import { defineConfig } from 'playwright/test'

/**
 * Most tests run in the shell of Chromium, which lays out and draws by the same code and takes a quarter less processor time. Those
 * that measure times use the Chromium that people use.
 */
const CHROMIUM_SHELL = process.env.HOLDALL_TEST_CHROMIUM_SHELL ?? '/usr/bin/chromium-headless-shell'
const CHROMIUM = process.env.HOLDALL_TEST_CHROMIUM ?? '/usr/bin/chromium'

/** These tests take long: the whole interface by axe, other browsers, and what happens in time. They run in the full check alone. */
const LONG = [
  '**/resumed-downloads.e2e.ts',
  '**/accessibility.e2e.ts',
  '**/journeys.e2e.ts',
  '**/archive-page-under-load.e2e.ts',
  '**/polling.e2e.ts',
  '**/time-and-network.e2e.ts',
]

/** These are reports of the memory and the processor time of the page: a part of `bun run soak`, since a busy machine changes them. */
const MEASURED = ['**/measured/*.e2e.ts']

/**
 * Each of the first two starts a process for each window. Chromium heeds only the last list of features, so those of
 * Playwright's that matter here are repeated.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
]

const launchOptions = (executablePath: string) => ({
  executablePath,
  timeout: 120_000,
  // Chromium needs --no-sandbox to run as root. The other flags prevent requests to hosts other than Holdall.
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--disable-quic',
    `--disable-features=${DISABLED_FEATURES.join(',')}`,
  ],
})

/** A zone in which it is about noon, so that "today" and "tomorrow" are no other day when a test ends. */
function zoneOfNoon(now: Date): string {
  const hoursAhead = 12 - now.getUTCHours()
  // The signs of these zones are reversed.
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`
}

/** The check counts by a report. */
const isCheck = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME !== undefined

/** Runs a real browser against the built executable. Each test starts its own service. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // The browser, the service and the test servers share one machine, which may be slow, and busy with other work. No test needs a tenth
  // of this on one that is not.
  timeout: 240_000,
  expect: { timeout: 45_000, toPass: { intervals: [100] } },
  forbidOnly: true,
  projects: [
    // First, so that short tests fill the time in which the last of the long ones run.
    {
      name: 'long',
      testMatch: LONG,
      fullyParallel: true,
      use: { launchOptions: launchOptions(CHROMIUM_SHELL) },
    },
    {
      name: 'short',
      testMatch: '*.e2e.ts',
      testIgnore: [...LONG, ...MEASURED],
      fullyParallel: true,
      use: { launchOptions: launchOptions(CHROMIUM_SHELL) },
    },
    { name: 'measured', testMatch: MEASURED, workers: 1 },
  ],
  // A test waits for the page and the service for much of its time.
  workers: 3,
  // This reporter prints failures after all tests, where the end of a long log shows them.
  reporter: isCheck ? [['dot'], ['json']] : [['dot']],
  use: {
    launchOptions: launchOptions(CHROMIUM),
    timezoneId: zoneOfNoon(new Date()),
    // A trace has the page at each action, which takes a tenth of the processor time and more. So the check writes none, and the same test
    // does when it is run by its name. Pictures in between would take much time, too.
    trace: isCheck ? 'off' : { mode: 'retain-on-failure', screenshots: false },
  },
})
