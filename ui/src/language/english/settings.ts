import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const settingsCopy = catalogue('settingsCopy', {
  title: 'Settings',
  lead: 'Changes apply at once, without a restart.',
  lastChange: (ago: string, key: string) => `Last changed ${ago} by “${key}”.`,
  edit: 'Edit',
  editSubject: (subject: string) => `Edit ${subject}`,
  saved: 'Settings saved',
  setBy: (flag: string) => `Set by ${flag}, so it can’t be changed here.`,
  problem: (field: string, problem: string) => `${field}: ${problem}.`,
  none: 'None',
  noLimit: 'No limit',

  code: {
    lead: 'This could expose your network or redirect your users. Confirm it on the computer that Holdall runs on: run this there, and enter what it prints.',
    terminal: 'In a terminal',
    copy: 'Copy command',
    label: 'Code',
  },

  address: {
    title: 'Address',
    lead: 'Links, e-mails and invitations use this address. Without one, they use the address at which you opened Holdall.',
    baseUrl: 'Base URL',
    ofRequest: 'The address of each request',
    onlyHere: (address: string) =>
      `Links begin with ${address} now, which only this computer can open. Enter an address that others reach.`,
    check: 'Check whether it leads here',
    checking: 'Checking…',
    reaches: 'It leads to this Holdall.',
  },

  networks: {
    title: 'Private networks',
    lead: 'Links to your own network are refused, unless you allow it here. All users may then pack what is in it.',
    allowed: 'Allowed networks',
    help: 'Separated by commas, as in 192.168.0.0/16. Archives in progress continue from where they are.',
  },

  proxy: {
    title: 'Proxy',
    lead: 'For companies in which programs reach the internet only through a proxy.',
    address: 'Proxy',
    addressHelp: 'As in http://proxy.example.com:3128. Leave it empty for none.',
    user: 'User',
    password: 'Password',
    passwordHelp: 'Never shown. Enter it again with each change of the proxy.',
    without: 'Not for these hosts',
    withoutHelp: 'Names, addresses and networks, separated by commas.',
  },

  speed: {
    title: 'Speed',
    lead: 'How much Holdall asks of this computer, of your line and of other sites.',
    rate: 'Download at most',
    rateField: 'Download at most, in MB per second',
    rateHelp: 'Leave it empty for no limit.',
    jobs: 'Archives at once',
    connections: 'Connections in all',
    hostConnections: 'Connections per site',
    requests: 'Requests per minute and key',
    requestsHelp: '0 for no limit.',
  },

  mail: {
    title: 'Mail server',
    lead: 'With one, users can be told of their archives by e-mail.',
    server: 'Server',
    serverHelp: 'As in smtps://mail.example.com, or smtp:// with STARTTLS. Leave it empty to send no mail.',
    from: 'From',
    user: 'User',
    password: 'Password',
    passwordHelp: 'Never shown. Enter all of it again with each change.',
  },

  plans: {
    title: (plan: string) => `${plan} plan`,
    lead: 'Limits apply to new archives. Those that are being packed keep theirs.',
    links: 'Links per archive',
    size: 'Archive size',
    sizeField: 'Archive size, in GB',
    retention: 'Retention',
    retentionRange: (shortest: string, longest: string) => `${shortest} to ${longest}`,
    shortest: 'Shortest retention, in minutes',
    longest: 'Longest retention, in hours',
    interval: 'Repeat at most every, in hours',
    storage: 'Storage per month',
    storageField: 'Storage per month, in GB-days',
    storageHelp: 'Leave it empty for no limit.',
    lists: 'Lists and results per user, in MB',
  },

  start: {
    title: 'Set at the start',
    lead: 'By flags or variables, with a restart.',
    certificates: (count: number) => plural(count, { one: '# certificate', other: '# certificates' }),
    seconds: (count: number) => plural(count, { one: '# second', other: '# seconds' }),
    days: (count: number) => plural(count, { one: '# day', other: '# days' }),
  },
})
