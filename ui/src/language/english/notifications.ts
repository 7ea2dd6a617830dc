import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const notificationsCopy = catalogue('notificationsCopy', {
  title: 'Notifications',
  lead: 'Get a message when an archive is ready or has failed.',
  places: 'Where you are told',
  none: 'Nowhere yet',
  noneText: 'Add a place above, and test it before you rely on it.',
  reference: 'API reference',
  added: 'Added',
  webhookAdded: 'Webhook added',

  form: {
    title: 'Tell me',
    by: 'By',
    kinds: { email: 'E-mail', ntfy: 'ntfy', webhook: 'Webhook' },
    noMailServer: (kind: string) => `${kind} (no mail server)`,
    targets: { email: 'Address', ntfy: 'Topic', webhook: 'URL' },
    token: 'Token (optional)',
    savedToken: 'Token (as before, unless you enter one)',
    about: 'About',
    add: 'Add',
    adding: 'Adding…',
    edit: 'Edit',
  },

  /** What the service finds wrong with a field, in its words: "The topic must be an https URL." */
  wrong: {
    token: (problem: string) => `The access token ${problem}.`,
    email: (problem: string) => `The address ${problem}.`,
    ntfy: (problem: string) => `The topic ${problem}.`,
    webhook: (problem: string) => `The URL ${problem}.`,
  },

  occasions: {
    all: 'All archives',
    ready: 'Ready archives',
    failed: 'Failed archives',
    changed: 'Changed lists and failures',
  },
  toldOf: {
    all: 'Told of all archives',
    ready: 'Told of ready archives',
    failed: 'Told of failed archives',
    changed: 'Told of changed lists and failures',
    others: (names: string) => `Told of ${names}`,
  },

  row: {
    disabled: 'Disabled',
    added: (at: string) => `Added ${at}`,
    test: 'Test',
    testing: 'Testing…',
    testTarget: (target: string) => `Test ${target}`,
    delivered: 'Test delivered',
    failed: (reason: string) => `Test failed: ${reason}`,
    unknown: 'The result is not known.',
  },

  page: {
    title: 'Notification',
    notFound: 'Notification not found',
    notFoundText: 'It may have been deleted.',
    seeYours: 'See your notifications',
    newSecret: 'New secret created',
    deleted: 'Deleted',
    actions: (target: string) => `Actions for ${target}`,
    edit: 'Edit',
    rotate: 'New secret',
    delete: 'Delete',
    disabled: (at: string) => `Disabled ${at}`,
    reasons: {
      gone: 'The receiver has refused for good. Send a test to enable it again.',
      no_success: 'No message was accepted for five days. Send a test to enable it again.',
    },
  },

  rotating: {
    title: 'Create a new secret?',
    action: 'Create secret',
    busy: 'Creating…',
    text: 'For 24 hours, messages are signed with the old secret, too, so that you have time to change it.',
  },

  deleting: {
    webhook: 'Delete this webhook?',
    other: 'Delete this notification?',
    action: 'Delete',
    busy: 'Deleting…',
    text: 'Nothing is sent there from now on, and its deliveries are deleted. This can’t be undone.',
  },

  secret: {
    lead: 'Your program needs this secret to check that a message comes from Holdall ({standard}). Copy it now. You won’t see it again.',
    secret: 'Secret',
    copy: 'Copy secret',
  },

  deliveries: {
    title: 'Deliveries',
    none: 'No deliveries yet',
    noneText: 'Send a test, or wait for the next archive. Deliveries are kept for 30 days.',
    sendTest: 'Send test',
    sent: 'Sent',
    sendAgain: (message: string) => `Send again: ${message}`,
    attempts: (count: number) => plural(count, { one: '# attempt', other: '# attempts' }),
    messages: {
      'job.completed': 'Archive ready',
      'job.failed': 'Archive failed',
      'schedule.paused': 'Schedule paused',
      ping: 'Test',
    },
    delivered: (status: string) => `Delivered (${status})`,
    failed: (reason: string) => `Failed: ${reason}`,
    noAnswer: 'no answer',
    sending: 'Sending',
    next: (inTime: string) => `Next attempt ${inTime}`,
    sendingAfter: (reason: string) => `${reason}, sending`,
    nextAfter: (reason: string, inTime: string) => `${reason}, next attempt ${inTime}`,
  },
})
