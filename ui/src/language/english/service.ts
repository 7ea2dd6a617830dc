import { catalogue } from '../catalogue.ts'

export const serviceCopy = catalogue('serviceCopy', {
  title: 'Service',
  lead: 'How this Holdall is doing, across all users.',

  disk: {
    title: 'Disk',
    free: (size: string) => `${size} free`,
    total: (size: string) => `of ${size}`,
    meter: 'Disk space used',
    used: (used: string, total: string) => `${used} of ${total}`,
    nearlyFull: (keptFree: string) =>
      `The disk is nearly full. Holdall accepts no new archives until ${keptFree} is free.`,
    archives: 'Archives',
    retries: 'Kept for retries',
    other: 'Everything else on the disk',
    keptFree: 'Always kept free',
  },

  store: {
    title: 'Archive store',
    waits: 'Finished archives stay on this disk and are uploaded when the archive store works again.',
    state: 'State',
    working: 'Working',
    notWorking: 'Not working',
    waiting: 'Waiting for upload',
    none: 'None',
    downloads: 'Downloads',
    proxied: 'Through Holdall',
    direct: 'Directly from the bucket',
  },

  activity: {
    title: 'Archives',
    running: 'Running',
    runningOf: (count: string, max: string) => `${count} of ${max} at once`,
    waiting: 'Waiting',
    longestWait: 'Longest wait',
    noWait: 'None',
    connections: 'Connections',
    connectionsOf: (count: string, max: string) => `${count} of ${max}`,
    ready: 'Ready',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },

  version: {
    title: 'Version and backup',
    version: 'Version',
    runningFor: 'Running for',
    lastBackup: 'Last backup',
    noBackup: 'None yet',
    backup: '{time}, {size}',
  },

  start: {
    title: 'Start at login',
    text: 'To start Holdall whenever you log in, stop it and run this with the settings below. As root on Linux, it starts with the machine.',
    terminal: 'In a terminal',
    copy: 'Copy command',
  },

  update: {
    title: 'Update',
    text: 'Stop Holdall, replace its executable with the new one, and start it again. Your archives, keys and settings stay.',
  },
})
