/** German. Readers are addressed as „Sie“, and not at all where a sentence does without. */
import { plural } from '../plural.ts'
import type { Translation } from '../translation.ts'

export const baseCopy: Translation['baseCopy'] = {
  language: 'Sprache',

  partOf: (part, whole) => `${part} von ${whole}`,
  under: (amount) => `unter ${amount}`,
  gbDays: (days, isOne) => `${days} GB-${isOne ? 'Tag' : 'Tage'}`,
  justNow: 'gerade eben',
  inUnderAMinute: 'in weniger als einer Minute',
}

export const keysCopy: Translation['keysCopy'] = {
  title: 'API-Schlüssel',
  lead: 'Mit API-Schlüsseln nutzen Programme Holdall in Ihrem Namen.',
  yourKeys: 'Ihre Schlüssel',
  noKeys: 'Noch keine Schlüssel',
  noKeysText:
    'Erstellen Sie oben einen für ein Skript, einen Server oder einen anderen Computer. Jeder lässt sich einzeln widerrufen.',
  firstCall: 'Ein erster Aufruf (englisch)',
  browsers: 'Angemeldete Browser',
  noBrowsers: 'Keine angemeldeten Browser',
  noBrowsersText:
    'Hier stehen Browser, die sich über einen Link angemeldet haben. Nach 30 Tagen ohne Nutzung werden sie abgemeldet.',
  browserSignedOut: 'Browser abgemeldet',
  revoked: (name) => `${name} widerrufen`,

  form: {
    title: 'Neuer Schlüssel',
    name: 'Name',
    namePlaceholder: 'z. B. Backup-Skript',
    expires: 'Läuft ab',
    validThrough: 'Gültig bis einschließlich',
    create: 'Schlüssel erstellen',
    creating: 'Wird erstellt …',
  },

  created: {
    title: (name) => `Schlüssel „${name}“ erstellt`,
    lead: 'Kopieren Sie den Schlüssel jetzt und bewahren Sie ihn wie ein Passwort auf. Er wird nur dieses eine Mal gezeigt.',
    key: 'Schlüssel',
    copyKey: 'Schlüssel kopieren',
    tryIt: 'Im Terminal ausprobieren',
    copyCommand: 'Befehl kopieren',
  },

  row: {
    thisBrowser: 'Dieser Browser',
    neverUsed: 'Nie benutzt',
    lastUsed: (ago) => `Zuletzt benutzt ${ago}`,
    expired: (ago) => `Abgelaufen ${ago}`,
    expires: (inTime) => `Läuft ${inTime} ab`,
    created: (at) => `Erstellt ${at}`,
    signedIn: (at) => `Angemeldet ${at}`,
    revoke: 'Widerrufen',
    revokeKey: (name) => `${name} widerrufen`,
    signOut: 'Abmelden',
    signOutBrowser: (name) => `${name} abmelden`,
  },

  revoking: {
    title: (name) => `${name} widerrufen?`,
    action: 'Schlüssel widerrufen',
    busy: 'Wird widerrufen …',
    signOutTitle: 'Diesen Browser abmelden?',
    signOut: 'Abmelden',
    signingOut: 'Wird abgemeldet …',
    ownBrowser:
      'Es ist der, den Sie gerade benutzen: Sie werden hier abgemeldet. Das lässt sich nicht rückgängig machen.',
    otherBrowser: 'Wer ihn benutzt, braucht einen neuen Anmeldelink. Das lässt sich nicht rückgängig machen.',
    key: 'Alles, was diesen Schlüssel benutzt, funktioniert sofort nicht mehr. Das lässt sich nicht rückgängig machen.',
  },
}

export const settingsCopy: Translation['settingsCopy'] = {
  title: 'Einstellungen',
  lead: 'Änderungen gelten sofort, ohne Neustart.',
  lastChange: (ago, key) => `Zuletzt geändert ${ago} mit „${key}“.`,
  edit: 'Ändern',
  editSubject: (subject) => `${subject} ändern`,
  saved: 'Einstellungen gespeichert',
  setBy: (flag) => `Durch ${flag} festgelegt und deshalb hier nicht änderbar.`,
  problem: (field, problem) => `${field}: ${problem}`,
  none: 'Keine',
  noLimit: 'Unbegrenzt',

  code: {
    lead: 'Das könnte Ihr Netzwerk öffnen oder andere woanders hinführen. Bestätigen Sie es auf dem Computer, auf dem Holdall läuft: Führen Sie dort dies aus und geben Sie ein, was ausgegeben wird.',
    terminal: 'Im Terminal',
    copy: 'Befehl kopieren',
    label: 'Bestätigungscode',
  },

  address: {
    title: 'Adresse',
    lead: 'Links, E-Mails und Einladungen beginnen damit. Ohne sie beginnen sie mit der Adresse, unter der Sie Holdall geöffnet haben.',
    baseUrl: 'Basis-URL',
    ofRequest: 'Die Adresse der jeweiligen Anfrage',
    onlyHere: (address) =>
      `Links beginnen jetzt mit ${address}, und die kann nur dieser Computer öffnen. Geben Sie eine Adresse ein, die andere erreichen.`,
    check: 'Prüfen, ob sie hierher führt',
    checking: 'Wird geprüft …',
    reaches: 'Sie führt zu diesem Holdall.',
  },

  networks: {
    title: 'Private Netzwerke',
    lead: 'Links in Ihr eigenes Netzwerk werden abgelehnt, wenn Sie es hier nicht erlauben. Alle Benutzer können dann packen, was darin liegt.',
    allowed: 'Erlaubte Netzwerke',
    help: 'Durch Kommas getrennt, etwa 192.168.0.0/16. Archive, die gerade gepackt werden, machen dort weiter, wo sie sind.',
  },

  proxy: {
    title: 'Proxyserver',
    lead: 'Für Firmen, in denen Programme das Internet nur über einen Proxy erreichen.',
    address: 'Proxyserver',
    addressHelp: 'Etwa http://proxy.example.com:3128. Leer lassen für keinen.',
    user: 'Benutzer',
    password: 'Passwort',
    passwordHelp: 'Wird nie gezeigt. Geben Sie es bei jeder Änderung des Proxys neu ein.',
    without: 'Nicht für diese Hosts',
    withoutHelp: 'Namen, Adressen und Netzwerke, durch Kommas getrennt.',
  },

  speed: {
    title: 'Geschwindigkeit',
    lead: 'Wie viel Holdall diesem Computer, Ihrer Leitung und anderen Websites abverlangt.',
    rate: 'Höchstens herunterladen',
    rateField: 'Höchstens herunterladen, in MB pro Sekunde',
    rateHelp: 'Leer lassen für unbegrenzt.',
    jobs: 'Archive gleichzeitig',
    connections: 'Verbindungen insgesamt',
    hostConnections: 'Verbindungen pro Website',
    requests: 'Anfragen pro Minute und Schlüssel',
    requestsHelp: '0 für unbegrenzt.',
  },

  mail: {
    title: 'Mailserver',
    lead: 'Mit einem Mailserver erfahren Benutzer per E-Mail von ihren Archiven.',
    server: 'Adresse des Servers',
    serverHelp:
      'Etwa smtps://mail.example.com, oder smtp:// mit STARTTLS. Leer lassen, um keine E-Mails zu senden.',
    from: 'Absender',
    user: 'Benutzer',
    password: 'Passwort',
    passwordHelp: 'Wird nie gezeigt. Geben Sie bei jeder Änderung alles neu ein.',
  },

  plans: {
    title: (plan) => `Tarif ${plan}`,
    lead: 'Grenzen gelten für neue Archive. Die gerade gepackt werden, behalten ihre.',
    links: 'Links pro Archiv',
    size: 'Archivgröße',
    sizeField: 'Archivgröße, in GB',
    retention: 'Aufbewahrung',
    retentionRange: (shortest, longest) => `${shortest} bis ${longest}`,
    shortest: 'Kürzeste Aufbewahrung, in Minuten',
    longest: 'Längste Aufbewahrung, in Stunden',
    interval: 'Wiederholen frühestens alle, in Stunden',
    storage: 'Speicher pro Monat',
    storageField: 'Speicher pro Monat, in GB-Tagen',
    storageHelp: 'Leer lassen für unbegrenzt.',
    lists: 'Listen und Ergebnisse pro Benutzer, in MB',
  },

  start: {
    title: 'Beim Start festgelegt',
    lead: 'Durch Parameter oder Variablen, mit einem Neustart.',
    certificates: (count) => plural(count, { one: '# Zertifikat', other: '# Zertifikate' }),
    seconds: (count) => plural(count, { one: '# Sekunde', other: '# Sekunden' }),
    days: (count) => plural(count, { one: '# Tag', other: '# Tage' }),
  },
}

/** Lines that are the same in English, because the word is. A test finds all others, which nobody has translated. */
export const sameInEnglish: readonly string[] = ['keysCopy.form.name']
