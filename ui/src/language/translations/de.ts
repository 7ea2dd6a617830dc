/** German. Readers are addressed as „Sie“, and not at all where a sentence does without. */
import { plural } from '../plural.ts'
import type { Translation } from '../translation.ts'

export const baseCopy: Translation['baseCopy'] = {
  language: 'Sprache',
  home: 'Holdall, Startseite',

  links: (count) => plural(count, { one: '# Link', other: '# Links' }),
  files: (count) => plural(count, { one: '# Datei', other: '# Dateien' }),
  archives: (count) => plural(count, { one: '# Archiv', other: '# Archive' }),
  duplicates: (count) => plural(count, { one: '# Duplikat', other: '# Duplikate' }),

  partOf: (part, whole) => `${part} von ${whole}`,
  under: (amount) => `unter ${amount}`,
  gbDays: (days, isOne) => `${days} GB-${isOne ? 'Tag' : 'Tage'}`,
  justNow: 'gerade eben',
  inUnderAMinute: 'in weniger als einer Minute',

  notifications: 'Mitteilungen',
  dismiss: 'Ausblenden',
  undo: 'Rückgängig',
  close: 'Schließen',
  tryAgain: 'Noch einmal versuchen',
  reload: 'Neu laden',
  showMore: 'Mehr anzeigen',
  copied: 'Kopiert',
  copyRefused: 'Ihr Browser hat das Kopieren nicht erlaubt.',
}

export const controlsCopy: Translation['controlsCopy'] = {
  cancel: 'Abbrechen',
  done: 'Fertig',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  goHome: 'Zur Startseite',
  ownerOnly: 'Das sieht nur, wem dieses Holdall gehört',
  ownerOnlyText: 'Melden Sie sich mit dem Konto an, dem dieses Holdall gehört.',
  copyRefused: (keys) =>
    `Ihr Browser hat das Kopieren nicht erlaubt. Der Text ist ausgewählt: Drücken Sie ${keys}.`,
  nextKey: 'dann',

  lifetimes: {
    never: 'Nie',
    7: 'In 7 Tagen',
    30: 'In 30 Tagen',
    90: 'In 90 Tagen',
    365: 'In 1 Jahr',
    date: 'An einem Tag …',
  },

  kinds: {
    image: 'Bild',
    video: 'Video',
    audio: 'Audiodatei',
    document: 'Dokument',
    data: 'Datendatei',
    archive: 'Archiv',
    page: 'Webseite',
    other: 'Datei',
  },
}

export const sharingCopy: Translation['sharingCopy'] = {
  share: 'Teilen',
  shareUntil: (time) => `Mit diesem Link kann jeder das Archiv herunterladen, bis ${time}.`,
  shareWhenReady: 'Mit diesem Link kann jeder das Archiv herunterladen, sobald es fertig ist.',
  link: 'Link',
  copyLink: 'Link kopieren',
  qrCode: 'QR-Code',
  qrCodeOfLink: 'QR-Code des Links',
  scan: 'Mit einem Telefon gescannt, öffnet der Code den Link dort.',
  openAsReceiver: 'So öffnen, wie es beim Empfänger aussieht',
  onlyHere: 'Diesen Link kann nur dieser Computer öffnen.',
  onlyHereHelp:
    'Um ihn zu teilen, starten Sie Holdall mit {listen} und öffnen es über den Namen oder die Adresse dieses Computers, oder geben Sie ihm eine öffentliche Adresse: {baseUrl}. {more}',
  onlyHereMore: 'Auf einem Server betreiben (englisch)',
  howToChange: 'So ändern Sie das',
  linkForOthers: 'Ein Link für andere',
}

export const apiCopy: Translation['apiCopy'] = {
  error: (code, english) => {
    const known: Readonly<Record<string, string>> = {
      UNAUTHORIZED:
        'Das Anmelden ist fehlgeschlagen: Der Schlüssel ist unbekannt, abgelaufen oder widerrufen.',
      FORBIDDEN: 'Das ist diesem Konto nicht erlaubt.',
      INVALID_TOKEN: 'Dieser Link ist ungültig.',
      EXPIRED_TOKEN: 'Dieser Link ist abgelaufen.',
      NOT_FOUND: 'Das gibt es nicht, oder nicht mehr.',
      QUOTA_EXCEEDED:
        'Der Speicher dieses Monats ist aufgebraucht. Am nächsten Ersten (UTC) gibt es wieder welchen.',
      RATE_LIMITED: 'Das waren zu viele Anfragen in kurzer Zeit. Versuchen Sie es gleich noch einmal.',
      INTERNAL_ERROR: 'In Holdall ist ein Fehler aufgetreten. Versuchen Sie es noch einmal.',
    }
    return known[code] ?? english
  },
  notAKey: 'Das ist kein API-Schlüssel.',
  unreachable: 'Holdall ist nicht erreichbar. Läuft es noch?',
  unreadable: (status) => `Unerwartete Antwort von Holdall (HTTP ${status}).`,
}

export const usersCopy: Translation['usersCopy'] = {
  title: 'Benutzer',
  lead: 'Alle haben ihre eigenen Archive, ihre API-Schlüssel und ihren Tarif.',
  allUsers: 'Alle Benutzer',
  noUsers: 'Noch keine Benutzer',
  noUsersText: 'Fügen Sie oben jemanden hinzu.',
  removed: (name) => `${name} entfernt`,

  form: {
    title: 'Neuer Benutzer',
    name: 'Name',
    plan: 'Tarif',
    add: 'Benutzer hinzufügen',
    adding: 'Wird hinzugefügt …',
  },

  row: {
    you: 'Sie',
    plan: (plan) => `Tarif ${plan}`,
    thisMonth: (gbDays) => `${gbDays} in diesem Monat`,
    running: (count) => `${count} in Arbeit`,
    waiting: (count) => `${count} in der Warteschlange`,
    actions: (name) => `Aktionen für ${name}`,
    newLink: 'Neuer Anmeldelink',
    moveTo: (plan) => `In den Tarif ${plan} wechseln`,
    moved: (name, plan) => `${name} hat jetzt den Tarif ${plan}`,
    remove: 'Entfernen',
  },

  link: {
    title: (name) => `Anmeldelink für ${name}`,
    creating: 'Der Link wird erstellt …',
    lead: 'Schicken Sie diesen Link weiter. Er gilt einmal, bis {time}.',
  },

  removing: {
    title: (name) => `${name} entfernen?`,
    action: 'Benutzer entfernen',
    busy: 'Wird entfernt …',
    withoutArchives:
      'Die API-Schlüssel werden gelöscht, und die Browser werden abgemeldet. Das lässt sich nicht rückgängig machen.',
    withArchives: (count) =>
      plural(count, {
        one: 'Die API-Schlüssel und # Archiv werden gelöscht, und die Browser werden abgemeldet. Das lässt sich nicht rückgängig machen.',
        other:
          'Die API-Schlüssel und # Archive werden gelöscht, und die Browser werden abgemeldet. Das lässt sich nicht rückgängig machen.',
      }),
  },
}

export const sitesCopy: Translation['sitesCopy'] = {
  title: 'Websites',
  lead: 'Speichern Sie die Anmeldung für eine Quelle, die eine verlangt. Ihre Archive benutzen sie dort und nirgends sonst.',
  add: 'Website hinzufügen',
  saved: 'Gespeicherte Anmeldungen',
  none: 'Noch keine Websites',
  noneText:
    'Fügen Sie eine hinzu, wenn Dateien hinter einem Passwort, einem Token oder einem Cookie liegen. Was Sie speichern, wird nie wieder angezeigt.',
  howItWorks: 'So funktioniert es (englisch)',
  siteSaved: (name) => `${name} gespeichert`,
  siteDeleted: (name) => `${name} gelöscht`,

  deleting: {
    title: (name) => `${name} löschen?`,
    action: 'Website löschen',
    busy: 'Wird gelöscht …',
    shared:
      'Die Archive aller Benutzer erreichen sie dann ohne Anmeldung. Das lässt sich nicht rückgängig machen.',
    own: 'Ihre Archive erreichen sie dann ohne Anmeldung. Das lässt sich nicht rückgängig machen.',
  },

  row: {
    shared: 'Geteilt',
    sharedWithYou: 'Mit Ihnen geteilt',
    refused: (ago) => `Anmeldung ${ago} abgelehnt`,
    expired: (ago) => `Abgelaufen ${ago}`,
    expires: (inTime) => `Läuft ${inTime} ab`,
    reach: (origin) => `Für ${origin}`,
    reachWithSubdomains: (origin) => `Für ${origin} und Subdomains`,
    neverUsed: 'Nie benutzt',
    lastUsed: (ago) => `Zuletzt benutzt ${ago}`,
    actions: (name) => `Aktionen für ${name}`,
    edit: 'Bearbeiten',
    delete: 'Löschen',
  },

  dialog: {
    addTitle: 'Website hinzufügen',
    editTitle: 'Website bearbeiten',
    address: 'Adresse',
    name: 'Name (optional)',
    namePlaceholder: 'z. B. Firmen-Wiki',
    login: 'Anmeldung',
    savedHeaders: (names) => `Gespeichert: ${names}`,
    enterAgain: 'Neu eingeben',
    isWider:
      'Geben Sie die Anmeldung noch einmal ein: Mit dieser Änderung wird sie an mehr Stellen gesendet.',
    expires: 'Läuft ab',
    never: 'nie',
    asBefore: (expiry) => `Wie bisher: ${expiry}`,
    validThrough: 'Gültig bis einschließlich',
    subdomains: 'Auch für Subdomains',
    subdomainsHelp: 'Zum Beispiel files.example.org bei example.org.',
    share: 'Mit allen Benutzern teilen',
    shareHelp:
      'Ihre Archive benutzen dann die Anmeldung. Die Benutzer sehen den Namen und die Adresse, aber nicht die Anmeldung.',
  },

  wrong: {
    address: (problem) => `Die Adresse wird nicht angenommen: ${problem}.`,
    name: (problem) => `Der Name wird nicht angenommen: ${problem}.`,
    header: (problem) => `Der Header wird nicht angenommen: ${problem}.`,
    login: (problem) => `Die Anmeldung wird nicht angenommen: ${problem}.`,
    expiry: (problem) => `Das Ablaufdatum wird nicht angenommen: ${problem}.`,
  },

  logins: {
    kind: 'Anmelden mit',
    kinds: {
      password: 'Benutzername und Passwort',
      token: 'Token',
      cookie: 'Cookie',
      other: 'Anderer Header',
    },
    userName: 'Benutzername',
    header: 'Header',
    values: {
      password: 'Passwort',
      token: 'Token',
      cookie: 'Cookie',
      other: 'Wert',
    },
    remove: (number) => `Anmeldung ${number} entfernen`,
    addHeader: 'Weiteren Header hinzufügen',
  },
}

export const accountCopy: Translation['accountCopy'] = {
  title: 'Konto',
  lead: (name, plan) => `${name}, Tarif ${plan}`,

  usage: {
    noLimit: 'verbraucht (ohne Grenze)',
    quota: (gbDays) => `Grenze: ${gbDays}`,
    meter: 'Speicher in diesem Monat',
    meterText: (percent, quota) => `${percent}, Grenze: ${quota}`,
    help: 'Ein Gigabyte, das einen Tag lang gespeichert ist, ist ein GB-Tag. Am Monatsersten (UTC) beginnt die Zählung von vorn.',
    usedUp:
      'Der Speicher dieses Monats ist aufgebraucht. Ab dem nächsten Monat können Sie wieder Archive erstellen. Gelöschte Archive zählen nicht weiter.',
  },

  limits: {
    title: (plan) => `Grenzen des Tarifs ${plan}`,
    links: 'Links je Archiv',
    size: 'Größe eines Archivs',
    retention: 'Aufbewahrung',
    retentionRange: (shortest, longest) => `${shortest} bis ${longest}`,
    storage: 'Speicher im Monat',
    noLimit: 'Ohne Grenze',
  },

  storage: {
    title: 'Belegter Speicher',
    none: 'Keine gespeicherten Archive. Archive belegen Platz, bis sie ablaufen oder gelöscht werden.',
    total: (size, count, gbDays) =>
      plural(count, {
        one: `${size} in # Archiv. Jeden Tag kommen ${gbDays} dazu.`,
        other: `${size} in # Archiven. Jeden Tag kommen ${gbDays} dazu.`,
      }),
    uncounted: (count) =>
      plural(count, {
        one: 'Das älteste ist hier nicht mitgezählt.',
        other: 'Die ältesten # sind hier nicht mitgezählt.',
      }),
    share: (name) => `Anteil von ${name}`,
    shareText: (size, total) => `${size} von ${total}`,
    keptBySchedule: 'Vom Zeitplan aufbewahrt',
    notReady: 'Noch nicht fertig',
    kept: (time) => `Aufbewahrt bis ${time}`,
    keptForRetry: (time) => `Für einen neuen Versuch aufbewahrt bis ${time}`,
  },
}

export const addToBrowserCopy: Translation['addToBrowserCopy'] = {
  title: 'Zum Browser hinzufügen',
  lead: 'Links von überall an Holdall schicken.',

  button: 'Ein Knopf für jede Seite',
  buttonText:
    'Ziehen Sie diesen Knopf in Ihre Lesezeichenleiste, oder legen Sie ein Lesezeichen mit seiner Adresse an. Auf jeder Seite öffnet es Holdall mit den Links der Seite oder mit denen Ihrer Auswahl.',
  send: 'An Holdall schicken',
  copyBookmark: 'Adresse des Lesezeichens kopieren',

  app: 'Als App installieren',
  appText:
    'Wählen Sie im Menü Ihres Browsers „Holdall installieren“ oder „Zum Startbildschirm hinzufügen“. Holdall hat dann ein eigenes Fenster und Symbol. Unter Android steht es auch im Teilen-Menü anderer Apps.',
  appWhere: 'Browser bieten das nur bei https-Adressen an, und auf dem Computer, auf dem Holdall läuft.',

  link: 'Ein Link, der die Liste füllt',
  linkText:
    'Hinter dieser Adresse kann beliebiger Text mit Links stehen. Gepackt wird erst, wenn Sie auf „Packen“ drücken.',
  address: 'Adresse',
  copyAddress: 'Adresse kopieren',
}

export const checkZipCopy: Translation['checkZipCopy'] = {
  title: 'ZIP prüfen',
  lead: 'Findet Schäden und Tricks in jeder ZIP-Datei. Sie bleibt auf diesem Gerät.',
  file: 'ZIP-Datei',
  drop: 'ZIP-Datei hier ablegen',
  dropText: 'Jede Datei darin wird gelesen und mit ihren Prüfsummen verglichen.',
  choose: 'Datei auswählen',
  chooseAnother: 'Andere Datei prüfen',
  checking: 'Wird geprüft',
  stop: 'Anhalten',
  unreadable: 'Die Datei lässt sich nicht lesen. Vielleicht wurde sie verschoben oder geändert.',

  allRight: (name) => `${name} ist in Ordnung`,
  hasProblems: (name, count) => `${name} hat ${plural(count, { one: '# Problem', other: '# Probleme' })}`,
  unpacked: (size) => `entpackt ${size}`,
  compared: (count, list) =>
    `${plural(count, { one: '# Datei', other: '# Dateien' })} mit ${list} verglichen`,
  problems: (count) => plural(count, { one: '# Problem', other: '# Probleme' }),
  worthKnowing: 'Gut zu wissen',
  more: (count) => plural(count, { other: 'Und # weitere.' }),
}

export const signInCopy: Translation['signInCopy'] = {
  title: 'Anmelden',
  lead: 'Öffnen Sie den Anmeldelink, den Sie bekommen haben. Wenn Sie keinen haben, fragen Sie die Person, die dieses Holdall betreibt.',
  failedLink: 'Bitten Sie die Person, von der Sie den Link haben, um einen neuen.',
  ownHelp:
    'Wenn Sie es selbst betreiben: Der Link steht im Terminal, in dem Holdall gestartet wurde. Einen neuen erstellt der Befehl, der dort steht.',
  expired: 'Sie wurden abgemeldet: Der Schlüssel dieses Browsers ist abgelaufen oder wurde widerrufen.',
  paste: 'Oder einen Link oder API-Schlüssel einfügen',
  signIn: 'Anmelden',
  signingIn: 'Wird angemeldet …',
  usedLink:
    'Dieser Link wurde schon benutzt oder ist abgelaufen. Links gelten einmal, innerhalb von 30 Minuten.',
  unknownKey: 'Unbekannter API-Schlüssel. Vielleicht ist er abgelaufen oder wurde widerrufen.',

  signedInAs: (name) => `Sie sind als ${name} angemeldet`,
  question: (name) =>
    `Ein Anmeldelink wurde geöffnet. Er gehört vielleicht jemand anderem. Wenn Sie ihn benutzen, wird ${name} in diesem Browser abgemeldet. Wenn Sie keinen Link verlangt haben, bleiben Sie angemeldet.`,
  stay: (name) => `Als ${name} angemeldet bleiben`,
  useLink: 'Link benutzen',
}

export const shellCopy: Translation['shellCopy'] = {
  skip: 'Zum Inhalt springen',
  navigation: 'Hauptmenü',
  new: 'Neu',
  archives: 'Archive',
  keys: 'Schlüssel',
  reconnecting: 'Verbindung zu Holdall wird wiederhergestellt …',

  notFound: 'Seite nicht gefunden',
  notFoundText: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
  wentWrong: 'Etwas ist schiefgegangen',
  failed: 'Diese Seite konnte nicht geladen werden',
  failedText: 'Vielleicht wurde Holdall beendet oder aktualisiert. Ihre Archive sind sicher.',

  menu: {
    title: 'Konto und Einstellungen',
    account: 'Konto',
    schedules: 'Zeitpläne',
    sites: 'Websites',
    notifications: 'Benachrichtigungen',
    users: 'Benutzer',
    service: 'Dienst',
    appearance: 'Darstellung',
    system: 'Wie das System',
    light: 'Hell',
    dark: 'Dunkel',
    search: 'Suchen',
    addToBrowser: 'Zum Browser hinzufügen',
    checkZip: 'ZIP prüfen',
    documentation: 'Dokumentation (englisch)',
    shortcuts: 'Tastenkürzel',
    signOut: 'Abmelden',
  },

  shortcuts: {
    title: 'Tastenkürzel',
    pack: 'Neues Archiv packen',
    singleKeys: 'Kürzel aus einer Taste',
    show: 'Tastenkürzel anzeigen',
    search: 'Seiten, Archive und Aktionen suchen',
    newArchive: 'Neues Archiv',
    archives: 'Zu den Archiven',
    keys: 'Zu den API-Schlüsseln',
    account: 'Zum Konto',
    notLoaded: 'Die Tastenkürzel konnten nicht geladen werden. Versuchen Sie es gleich noch einmal.',
    searchNotLoaded: 'Die Suche konnte nicht geladen werden. Versuchen Sie es gleich noch einmal.',
  },
}

export const commandPaletteCopy: Translation['commandPaletteCopy'] = {
  title: 'Seiten, Archive und Aktionen suchen',
  placeholder: 'Seiten, Archive, Aktionen suchen',
  results: 'Treffer',
  none: 'Nichts gefunden',

  schedules: 'Zu den Zeitplänen',
  schedulesWords: 'wiederholen cron jeden tag woche monat täglich wöchentlich',
  sites: 'Zu den Websites',
  sitesWords: 'anmeldungen logins passwörter cookies header token',
  notifications: 'Zu den Benachrichtigungen',
  notificationsWords: 'webhooks e-mail mail ntfy mitteilungen',
  checkZip: 'ZIP prüfen',
  checkZipWords: 'beschädigt kaputt prüfsummen',
  addToBrowser: 'Zum Browser hinzufügen',
  addToBrowserWords: 'installieren app lesezeichen teilen telefon handy',
  users: 'Zu den Benutzern',
  service: 'Zum Dienst',
  serviceWords: 'festplatte speicher warteschlange version',
  light: 'Helle Darstellung',
  dark: 'Dunkle Darstellung',
  system: 'Darstellung wie das System',
  appearanceWords: 'theme design',
  reference: 'Dokumentation öffnen (englisch)',
  referenceWords: 'doku api referenz hilfe curl python javascript',
  signOut: 'Abmelden',
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
export const sameInEnglish: readonly string[] = [
  'controlsCopy.kinds.video',
  'keysCopy.form.name',
  'sharingCopy.link',
  'sitesCopy.dialog.name',
  'sitesCopy.logins.header',
  'sitesCopy.logins.kinds.cookie',
  'sitesCopy.logins.kinds.token',
  'sitesCopy.logins.values.cookie',
  'sitesCopy.logins.values.token',
  'usersCopy.form.name',
]
