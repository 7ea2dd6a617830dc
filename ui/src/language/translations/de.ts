/** German. Readers are addressed as „Sie“, and not at all where a sentence does without. */
import { plural } from '../plural.ts'
import { type Sentences, sentenceIn } from '../sentences.ts'
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
  tryAgain: 'Erneut versuchen',
  reload: 'Neu laden',
  showMore: 'Mehr anzeigen',
  rowKeys:
    'Die Pfeiltasten nach oben und unten, Bild auf, Bild ab, Pos1 und Ende wechseln zwischen den Zeilen, Tabulator und die Pfeiltasten nach links und rechts innerhalb einer Zeile.',
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
  manyKinds: {
    image: 'Bilder',
    video: 'Videos',
    audio: 'Audiodateien',
    document: 'Dokumente',
    data: 'Datendateien',
    archive: 'Archive',
    page: 'Webseiten',
    other: 'andere Dateien',
  },
  kindsOfFiles: 'Arten von Dateien',
  kindCounts: {
    image: (count) => plural(count, { one: '# Bild', other: '# Bilder' }),
    video: (count) => plural(count, { one: '# Video', other: '# Videos' }),
    audio: (count) => plural(count, { one: '# Audiodatei', other: '# Audiodateien' }),
    document: (count) => plural(count, { one: '# Dokument', other: '# Dokumente' }),
    data: (count) => plural(count, { one: '# Datendatei', other: '# Datendateien' }),
    archive: (count) => plural(count, { one: '# Archiv', other: '# Archive' }),
    page: (count) => plural(count, { one: '# Webseite', other: '# Webseiten' }),
    other: (count) => plural(count, { one: '# Datei', other: '# andere Dateien' }),
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
  notAccepted: (_english, problem) => `Das wird nicht angenommen: ${problem}.`,
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
      password: 'Name und Passwort',
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
    addHeader: 'Weiterer Header',
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
  copyBookmark: 'Seine Adresse kopieren',

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
  finding: (code, english) => {
    const known: Readonly<Record<string, string>> = {
      NOT_A_ZIP: 'Das ist keine ZIP-Datei, oder ihr Ende fehlt.',
      SPLIT_ARCHIVE: 'Das ist ein Teil eines Archivs aus mehreren Dateien und lässt sich nicht prüfen.',
      DIRECTORY_DAMAGED: 'Das Verzeichnis des Archivs ist beschädigt oder unvollständig.',
      ENTRY_COUNT_DIFFERS: 'Das Ende des Archivs nennt eine andere Zahl von Dateien als sein Verzeichnis.',
      ZIP64_DIFFERS: 'Der ZIP64-Eintrag fehlt oder widerspricht dem Ende des Archivs.',
      OUTSIDE_OF_FILE: 'Die Datei liegt laut Verzeichnis dort, wo das Archiv keine hat.',
      OVERLAP: 'Die Datei überlappt eine andere des Archivs.',
      UNKNOWN_BYTES: 'Das Archiv enthält Bytes, die zu keiner Datei gehören.',
      LOCAL_HEADER_MISSING: 'Der lokale Header der Datei fehlt.',
      LOCAL_HEADER_DIFFERS: 'Der lokale Header der Datei widerspricht dem Verzeichnis.',
      DESCRIPTOR_DIFFERS: 'Was hinter dem Inhalt steht, widerspricht dem Verzeichnis.',
      UNSAFE_NAME: 'Der Name führt aus dem Ordner hinaus, in den entpackt wird.',
      INVALID_NAME: 'Der Name ist leer oder enthält unerlaubte Zeichen.',
      NAME_TWICE: 'Mehrere Dateien haben diesen Namen: Beim Entpacken ersetzt eine die andere.',
      UNSAFE_LINK: 'Das ist eine Verknüpfung, die aus dem Ordner hinausführt, in den entpackt wird.',
      FOLDER_WITH_CONTENT: 'Das ist dem Namen nach ein Ordner, der doch einen Inhalt hat.',
      ENCRYPTED: 'Die Datei ist verschlüsselt: Der Inhalt lässt sich nicht prüfen.',
      METHOD_NOT_SUPPORTED: 'Diese Komprimierung wird nicht unterstützt: Der Inhalt lässt sich nicht prüfen.',
      CONTENT_DAMAGED: 'Der Inhalt ist beschädigt.',
      CHECKSUM_DIFFERS: 'Die SHA-256 ist nicht die aus der Liste: Der Inhalt wurde geändert.',
      LISTED_FILE_MISSING: 'Die Datei steht in der Liste der Prüfsummen und fehlt im Archiv.',
      LIST_DAMAGED: 'Die Liste der Prüfsummen ist beschädigt.',
      BYTES_BEFORE: 'Vor dem Archiv stehen weitere Bytes, etwa ein Programm, das es entpackt.',
      BYTES_AFTER: 'Hinter dem Archiv stehen Füllbytes.',
      PADDING: 'Zwischen den Dateien stehen Füllbytes.',
      HIGH_RATIO: 'Entpackt ist die Datei mehr als tausendmal so groß.',
      NOT_LISTED: 'Manche Dateien stehen nicht in der Liste der Prüfsummen.',
    }
    return known[code] ?? english
  },
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

  keyName: (name) =>
    name.replace(
      /^([A-Z][a-z]+(?: Internet)?) on (Android|iPad|iPhone|Windows|ChromeOS|Mac|Linux)$/,
      '$1 ($2)',
    ),

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

export const archiveListCopy: Translation['archiveListCopy'] = {
  title: 'Archive',
  newArchive: 'Neues Archiv',
  select: 'Auswählen',
  all: 'Alle',
  filterByStatus: 'Nach Status filtern',
  states: {
    waiting: 'Wartet',
    running: 'In Arbeit',
    ready: 'Fertig',
    expired: 'Abgelaufen',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  failure: (code, english) => {
    const known: Readonly<Record<string, string>> = {
      URL_FAILED: 'Mindestens ein Link konnte nicht abgerufen werden.',
      ALL_URLS_FAILED: 'Keiner der Links konnte abgerufen werden.',
      ZIP_SIZE_EXCEEDED: 'Das ZIP würde größer, als Ihr Tarif erlaubt.',
      DISK_FULL:
        'Der Datenträger ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal: Es geht weiter, wo es aufgehört hat.',
      CANCELLED: 'Das Archiv wurde abgebrochen. Ein neuer Versuch macht dort weiter.',
      INTERNAL_ERROR:
        'In Holdall ist ein Fehler aufgetreten. Ein neuer Versuch macht dort weiter, wo es aufgehört hat.',
    }
    return known[code] ?? english
  },

  search: 'Archive suchen',
  searchPlaceholder: 'Name oder Link',
  notFound: 'Keine Archive gefunden',
  notFoundText: (text) => `Kein Archiv hat „${text}“ im Namen oder in einem seiner Links.`,
  clearSearch: 'Suche löschen',
  none: {
    all: {
      title: 'Noch keine Archive',
      text: 'Fügen Sie Links ein, und Holdall packt ihre Dateien in ein ZIP. Archive bleiben hier, bis sie ablaufen.',
    },
    pending: {
      title: 'Keine wartenden Archive',
      text: 'Hier steht ein Archiv in der Warteschlange, während andere in Arbeit sind.',
    },
    processing: {
      title: 'Keine Archive in Arbeit',
      text: 'Sehen Sie hier zu, wie Archive entstehen, oder kommen Sie später wieder.',
    },
    completed: {
      title: 'Keine fertigen Archive',
      text: 'Hier stehen Archive, die sich herunterladen lassen, bis sie ablaufen.',
    },
    failed: {
      title: 'Keine fehlgeschlagenen Archive',
      text: 'Hier stehen fehlgeschlagene Archive mit dem Grund. Abgerufene Dateien werden für einen neuen Versuch aufbewahrt.',
    },
    cancelled: {
      title: 'Keine abgebrochenen Archive',
      text: 'Hier stehen Archive, die Sie abbrechen. Sie lassen sich fortsetzen.',
    },
  },

  row: {
    leftOut: (count) => `${count} ausgelassen`,
    toCheck: (count) => `${count} zu prüfen`,
    packed: (count, files) => `${count} von ${files}`,
    created: (time) => `Erstellt ${time}`,
    expires: (time) => `Läuft ${time} ab`,
    download: (name) => `${name} herunterladen`,
  },

  menu: {
    title: (name) => `Aktionen für ${name}`,
    download: 'Herunterladen',
    copyCommand: 'curl-Befehl kopieren',
    commandCopied: 'Befehl kopiert',
    continue: 'Fortsetzen',
    tryAgain: 'Erneut versuchen',
    startOver: 'Von vorn beginnen',
    cancel: 'Abbrechen',
    edit: 'Umbenennen oder verlängern',
    delete: 'Löschen',
  },
  deleted: (archives) => `${archives} gelöscht`,
  cancelled: (name) => `${name} abgebrochen`,

  selection: {
    title: 'Ausgewählte Archive',
    count: (count) => plural(count, { one: '# Archiv ausgewählt', other: '# Archive ausgewählt' }),
    download: 'Herunterladen',
    keepLonger: 'Länger aufbewahren',
    delete: 'Löschen',
    stop: 'Auswahl beenden',
  },

  edit: {
    title: 'Archiv bearbeiten',
    fileName: 'Dateiname',
    unchanged: 'So lange wie bisher',
  },
  keep: {
    title: (count) => plural(count, { one: '# Archiv aufbewahren', other: '# Archive aufbewahren' }),
    label: 'Aufbewahren',
    days: (count) => plural(count, { one: 'Von jetzt an # Tag', other: 'Von jetzt an # Tage' }),
    kept: (archives, days) =>
      plural(days, { one: `${archives} # Tag lang aufbewahrt`, other: `${archives} # Tage lang aufbewahrt` }),
  },

  shortcuts: {
    next: 'Nächstes Archiv',
    previous: 'Voriges Archiv',
    select: 'Archiv auswählen',
  },

  notification: {
    ready: (name) => `Fertig: ${name}`,
    failed: (name) => `Fehlgeschlagen: ${name}`,
    offer: 'Holdall kann melden, wenn ein Archiv fertig ist, auch während Sie auf einer anderen Seite sind.',
    accept: 'Benachrichtigen',
  },
}

export const sharePageCopy: Translation['sharePageCopy'] = {
  title: 'Geteiltes Archiv',
  notLoaded: 'Diese Seite konnte nicht geladen werden',
  notLoadedText: 'Vielleicht wurde Holdall beendet oder aktualisiert.',
  archiveNotLoaded: 'Dieses Archiv konnte nicht geladen werden',
  checkZip: 'ZIP prüfen',
  isReady: 'Das Archiv ist fertig',

  expired: {
    title: 'Dieser Link ist abgelaufen',
    text: 'Das Archiv wird nicht mehr aufbewahrt. Bitten Sie die Person, von der Sie den Link haben, um einen neuen.',
  },
  invalid: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Prüfen Sie, ob Sie den ganzen Link geöffnet haben, oder bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
  },
  failed: {
    title: 'Dieses Archiv konnte nicht gepackt werden',
    text: 'Fragen Sie die Person, von der Sie den Link haben. Bei einem neuen Versuch erscheint es hier.',
  },

  soFar: (size) => `bisher ${size}`,
  until: (time) => `bis ${time}`,
  download: 'Herunterladen',
  downloadAll: 'Alles herunterladen',
  progress: 'Fortschritt',
  waiting:
    'Wartet auf den Start · Sie können den Download schon starten; die Dateien folgen, sobald sie gepackt sind.',
  packing: (percent) => `${percent} gepackt · Sie können herunterladen, was fertig ist; der Rest folgt.`,
  missing: (count) =>
    plural(count, {
      one: '# Datei fehlt: Sie konnte nicht abgerufen werden',
      other: '# Dateien fehlen: Sie konnten nicht abgerufen werden',
    }),

  files: 'Dateien',
  select: 'Auswählen',
  wrong: (count) =>
    plural(count, {
      one: '# Datei ist vielleicht nicht, was ihr Name sagt',
      other: '# Dateien sind vielleicht nicht, was ihre Namen sagen',
    }),
  isEmpty: 'Leer',
  isPage: 'Webseite',
  downloadFile: (name) => `${name} herunterladen`,
  folder: (path) => `Ordner ${path}`,
  downloadFolder: (name) => `Ordner ${name} herunterladen`,

  selectFiles: 'Wählen Sie Dateien oder Ordner aus',
  tooMany: 'Zu viele einzelne Dateien für ein ZIP. Wählen Sie weniger aus, oder ganze Ordner.',
  cancel: 'Abbrechen',
  downloadZip: 'Als ZIP herunterladen',

  earlier: 'Frühere Archive',
}

export const changesCopy: Translation['changesCopy'] = {
  added: (count) => `${count} neu`,
  changed: (count) => `${count} geändert`,
  kept: (count) => `${count} behalten`,
  keptFrom: (count, day) => `${count} vom ${day} behalten`,
  gone: (count) => `${count} weggefallen`,
  nothing: 'Nichts hat sich seit dem vorigen Archiv geändert',
}

export const previewCopy: Translation['previewCopy'] = {
  previous: 'Vorige Datei',
  next: 'Nächste Datei',
  download: (name) => `${name} herunterladen`,
  position: (number, count) => `${number} von ${count}`,
  notShown: 'Diese Datei lässt sich hier nicht anzeigen. Laden Sie sie herunter, um sie zu öffnen.',
  text: 'Text der Datei',
  textIsCut: 'Das ist der Anfang. Laden Sie die Datei herunter, um den Rest zu sehen.',
  pages: 'Seiten der Datei',
  page: (number) => `Seite ${number}`,
  pagesAreCut: (shown, count) =>
    `Das sind die ersten ${shown} von ${count} Seiten. Laden Sie die Datei herunter, um den Rest zu sehen.`,
}

/** Why a link can't be fetched, by the error of the service. */
const FETCH_ERRORS: Translation['entriesCopy']['errors'] = {
  'Could not resolve host': 'Diesen Server gibt es nicht (DNS)',
  'Connection refused': 'Server lehnte die Verbindung ab',
  'Connection failed': 'Keine Verbindung möglich',
  'Connection closed early': 'Verbindung vor dem Ende verloren',
  'Timed out': 'Server brauchte zu lange',
  'TLS certificate not trusted': 'Zertifikat nicht vertrauenswürdig (TLS)',
  'TLS handshake failed': 'Keine sichere Verbindung (TLS)',
  'Address not allowed': 'Privates Netz, gesperrt',
  'Too many redirects': 'Zu viele Weiterleitungen',
  'Unsupported redirect': 'Leitet an eine nicht unterstützte Adresse weiter',
  'Malformed response': 'Server schickte eine ungültige Antwort',
  'Unreadable content encoding': 'Datei lässt sich nicht dekomprimieren',
  'Source changed during the download': 'Datei hat sich beim Abruf geändert',
  'Unexpected HTML': 'Webseite statt der Datei',
  'Empty file': 'Server schickte eine leere Datei',
  'Proxy refused': 'Der Proxy lehnte ab',
  'Checksum mismatch': 'Nicht die erwartete Datei (andere Prüfsumme)',
}

export const entriesCopy: Translation['entriesCopy'] = {
  statuses: {
    waiting: 'Wartet',
    fetching: 'Wird abgerufen',
    stored: 'Fertig',
    check: 'Prüfen',
    failed: 'Fehlgeschlagen',
  },
  duplicate: 'Duplikat',
  counts: {
    waiting: (count) => `${count} wartend`,
    fetching: (count) => `${count} im Abruf`,
    stored: (count) => `${count} fertig`,
    check: (count) => `${count} zu prüfen`,
    failed: (count) => `${count} fehlgeschlagen`,
  },
  map: (count, counts) =>
    plural(count, {
      one: `Karte von # Datei${counts === '' ? '' : ': '}${counts}. Jede hat eine Zeile in der Liste.`,
      other: `Karte von # Dateien${counts === '' ? '' : ': '}${counts}. Jede hat eine Zeile in der Liste.`,
    }),

  warnings: {
    empty: 'Leere Datei',
    loginRefused: 'Gespeicherte Anmeldung abgelehnt',
    signInPage: 'Anmeldeseite statt der Datei',
    page: 'Webseite statt der Datei',
  },

  urlProblems: {
    TOO_LONG: (limit) => `Länger als ${limit} Zeichen`,
    HAS_SPACE: 'Enthält ein Leerzeichen',
    NO_SCHEME: 'Es fehlt https://',
    NOT_A_URL: 'Keine gültige URL',
    UNSUPPORTED_SCHEME: (scheme) => `${scheme} wird nicht unterstützt (nur http und https)`,
  },

  httpErrors: {
    400: 'Anfrage nicht verstanden',
    401: 'Anmeldung nötig',
    402: 'Bezahlung nötig',
    403: 'Kein Zugriff',
    404: 'Nicht gefunden',
    407: 'Anmeldung am Proxy nötig',
    408: 'Server wollte nicht länger warten',
    410: 'Nicht mehr verfügbar',
    423: 'Gesperrt',
    429: 'Zu viele Anfragen',
    451: 'Aus rechtlichen Gründen gesperrt',
    502: 'Server nicht verfügbar',
    503: 'Server nicht verfügbar',
    504: 'Server brauchte zu lange',
  },
  serverError: 'Serverfehler',
  notAvailable: 'Nicht verfügbar',
  doesNotFit: (limit) => `Passt nicht hinein: Archive dürfen höchstens ${limit} haben`,
  errors: FETCH_ERRORS,
}

export const archivePageCopy: Translation['archivePageCopy'] = {
  title: 'Archiv',
  notFound: 'Archiv nicht gefunden',
  notFoundText: 'Vielleicht wurde es gelöscht, oder es gehört jemand anderem.',
  seeArchives: 'Zu Ihren Archiven',
  state: (name, state) => `${name}: ${state}`,
  done: (percent) => `${percent} erledigt`,

  lead: {
    active: 'Sie können diese Seite schließen. Holdall arbeitet weiter.',
    deleted: 'Die abgerufenen Dateien wurden gelöscht.',
    kept: (count, duration) =>
      plural(count, {
        one: `# Datei wird noch aufbewahrt: ${duration}`,
        other: `# Dateien werden noch aufbewahrt: ${duration}`,
      }),
    expired: 'Die Links sind noch da.',
  },

  progress: {
    title: 'Fortschritt',
    of: (files) => `von ${files}`,
    value: (percent, count, files) => `${percent}, ${count} von ${files}`,
    waiting: 'Wartet auf den Start',
    left: (duration) => `noch etwa ${duration}`,
    failed: (count) => plural(count, { one: '# Link fehlgeschlagen', other: '# Links fehlgeschlagen' }),
    lastFiles: (count, name, arrived) =>
      plural(count, {
        one: `Noch # Datei: ${name}, ${arrived}`,
        other: `Noch # Dateien: ${name}, ${arrived}`,
      }),
    soFar: (size) => `bisher ${size}`,
    cancel: 'Abbrechen',
    packing: 'Packt …',
  },

  ready: {
    title: 'Bereit zum Herunterladen',
    leftOut: (count) => `${count} ausgelassen`,
    toCheck: (count) => `${count} zu prüfen`,
    keptBySchedule: 'Aufbewahrt, bis der Zeitplan neuere hat',
    expires: (duration) => `Läuft ab in: ${duration}`,
    keepLonger: 'Länger aufbewahren',
    download: 'Herunterladen',
    shortcut: 'Archiv herunterladen',
    rename: 'Umbenennen',
    renameSuffix: ', umbenennen',
    name: 'Name des Archivs',
  },

  expired: {
    title: 'Archiv abgelaufen',
    text: (time) => `Die Datei wurde gelöscht: ${time}.`,
    reuse: 'Diese Links noch einmal verwenden',
  },

  stopped: {
    cancelled: 'Abgebrochen',
    failed: 'Archiv fehlgeschlagen',
    fetched: (count, files) => `${count} von ${files} vor dem Abbruch abgerufen.`,
    fix: 'Berichtigen Sie die Links in der Liste.',
    fixOrContinue: 'Berichtigen Sie die Links in der Liste, oder machen Sie ohne sie weiter.',
    skip: 'Fehlgeschlagene Links auslassen',
    continue: 'Fortsetzen',
    continueWith: (count) =>
      plural(count, {
        one: 'Mit # berichtigten Link fortsetzen',
        other: 'Mit # berichtigten Links fortsetzen',
      }),
    leaveOut: (count) =>
      plural(count, {
        one: 'Fortsetzen und den anderen auslassen',
        other: 'Fortsetzen und die anderen # auslassen',
      }),
    tryAgain: 'Erneut versuchen',
    startOver: 'Von vorn beginnen',
  },

  versions: {
    replaced: 'Eine neuere Fassung hat dieses Archiv ersetzt. Der geteilte Link öffnet {newer}.',
    newer: 'die neuere Fassung',
    earlier: 'Frühere Fassungen',
    expired: 'abgelaufen',
  },

  details: {
    links: 'Links',
    created: 'Erstellt',
    ready: 'Fertig',
    after: (duration) => `nach ${duration}`,
    afterInstant: 'nach weniger als einer Sekunde',
    base: 'Entstanden aus',
    earlierArchive: 'Einem früheren Archiv',
    copied: (count) => plural(count, { one: '# Datei kopiert', other: '# Dateien kopiert' }),
    onFailure: 'Wenn ein Link fehlschlägt',
    stop: 'Anhalten',
    skip: 'Auslassen',
    forPrograms: 'Für Programme',
  },

  schedule: {
    title: 'Zeitplan',
    next: (time) => `nächstes: ${time}`,
    earlier: (time) => `Früher: ${time}`,
    later: (time) => `Später: ${time}`,
    repeat: 'Wiederholen',
    see: 'Zeitplan ansehen',
  },

  files: {
    title: 'Dateien',
    table: 'Tabelle der Dateien',
    copyErrors: 'Alle Fehler kopieren',
    blocked:
      'Holdall sperrt private Netze, und {host} ist in einem. Wer Holdall betreibt, kann es erlauben: beim Start mit {option}, oder durch {variable}.',
    thenRetry: 'Versuchen Sie es dann noch einmal.',
    exampleNetwork: 'mit seinem Netz, etwa 192.168.1.0/24',
    filter: 'Dateien filtern',
    show: 'Anzeigen',
    all: 'Alle',
    changed: 'Was sich geändert hat',
    number: 'Nr.',
    file: 'Datei',
    size: 'Größe',
    status: 'Status',
    changes: {
      added: 'Neu',
      changed: 'Geändert',
      unchanged: 'Unverändert',
      kept: 'Behalten',
      gone: 'Weggefallen',
    },
    none: {
      all: '0 Dateien',
      changed: 'Nichts hat sich geändert.',
      waiting: 'Keine wartenden Dateien.',
      fetching: 'Keine Dateien im Abruf.',
      stored: 'Keine fertigen Dateien.',
      check: 'Keine Dateien zu prüfen.',
      failed: 'Keine fehlgeschlagenen Links.',
    },
  },

  row: {
    openLink: (name) => `Den Link von ${name} öffnen`,
    open: 'Öffnen',
    retry: 'Noch einmal',
    retryFile: (name) => `${name} noch einmal abrufen`,
    leaveOut: 'Auslassen',
    leaveOutFile: (name) => `${name} auslassen`,
    edit: 'Bearbeiten',
    editFile: (name) => `${name} bearbeiten`,
    replace: 'Ersetzen',
    replaceFile: (name) => `${name} ersetzen`,
    willBeFetched: 'Wird noch einmal abgerufen',
    willBeLeftOut: 'Wird ausgelassen',
    url: (number) => `URL von Link ${number}`,
    isEmpty: 'Geben Sie einen Link ein, oder lassen Sie ihn aus',
    isRejected: (problem) => `Dieser Link wird nicht angenommen: ${problem}`,
  },

  fixing: {
    fix: (count) => plural(count, { one: '# Link berichtigen', other: '# Links berichtigen' }),
    hint: 'Fehlgeschlagene und geänderte Links werden abgerufen, alle anderen Dateien kopiert. Der geteilte Link bleibt derselbe.',
    cancel: 'Abbrechen',
    discard: 'Änderungen verwerfen',
    packAgain: 'Noch einmal packen',
    continue: 'Fortsetzen',
    fixed: (count) => plural(count, { one: '# Link berichtigt', other: '# Links berichtigt' }),
    toRetry: (count) => `${count} noch einmal abzurufen`,
    leftOut: (count) => `${count} ausgelassen`,
    nothing: 'Noch keine Links berichtigt',
  },

  refreshing: {
    title: 'Dieses Archiv auffrischen?',
    action: 'Auffrischen',
    busy: 'Wird aufgefrischt …',
    text: 'Packt dieselben Links noch einmal. Dateien, die sich geändert haben, werden abgerufen, alle anderen kopiert. Der geteilte Link öffnet dann das neue Archiv. Diese Fassung wird aufbewahrt, bis sie abläuft.',
  },

  bulk: {
    title: 'Mehrere berichtigen',
    modes: 'Wie sie berichtigt werden',
    replaceText: 'Text ersetzen',
    pasteColumn: 'Spalte einfügen',
    column: 'Neue Links, einer je Zeile, in der Reihenfolge der fehlgeschlagenen Links',
    find: 'Suchen',
    replaceWith: 'Ersetzen durch',
    notFound: 'Kein fehlgeschlagener Link enthält diesen Text.',
    changed: (count) => plural(count, { one: '# Link geändert', other: '# Links geändert' }),
    change: (count) => plural(count, { one: '# Link ändern', other: '# Links ändern' }),
    changeNone: 'Links ändern',
    lines: (count) => plural(count, { one: '# Zeile', other: '# Zeilen' }),
    failedLinks: (count) =>
      plural(count, { one: '# fehlgeschlagenen Link', other: '# fehlgeschlagene Links' }),
    linesFor: (lines, links) => `${lines} für ${links}.`,
    linesLeft: (lines, links) => `${lines} für ${links}. Übrige Zeilen werden ignoriert.`,
    linksLeft: (lines, links) => `${lines} für ${links}. Übrige Links bleiben, wie sie sind.`,
    preview: 'Vorschau',
    willChange: (count) => plural(count, { one: '# Link wird geändert.', other: '# Links werden geändert.' }),
    cannotBeUsed: (count) =>
      plural(count, {
        one: '# neuer Link ist nicht verwendbar.',
        other: '# neue Links sind nicht verwendbar.',
      }),
    more: (count) => `${count} weitere`,
  },
}

export const newArchiveCopy: Translation['newArchiveCopy'] = {
  title: 'Neues Archiv',
  lead: 'Holdall ruft Ihre Links ab und packt sie in ein ZIP.',
  rename: 'Umbenennen',
  name: 'Name des Archivs',
  recent: 'Letzte Archive',
  all: 'Alle Archive',
  none: 'Hier erscheinen Ihre Archive',
  noneText:
    'Fügen Sie oben ein paar Links ein, um das erste zu erstellen. Währenddessen können Sie diese Seite schließen.',
  tryExample: 'Ein Beispiel ausprobieren',
  exampleTitle: 'Wie das Web funktioniert',

  box: {
    title: 'Links einfügen, ablegen oder eintippen',
    text: 'Eine E-Mail, eine Webseite, eine Tabelle, JSON: Jeder Link darin wird gefunden. Für Links, die eine Anmeldung brauchen, fügen Sie „Als cURL kopieren“ aus den Entwicklertools Ihres Browsers ein, oder legen Sie eine cookies.txt hier ab.',
    choose: 'Datei auswählen',
    files: 'Dateien mit Links',
    found: (count) => plural(count, { one: '# Link gefunden', other: '# Links gefunden' }),
    showAsList: 'Als Liste anzeigen',
    noLinks: 'Keine Links in diesem Text',
    noLinksBecause: (reason) => `Keine Links in diesem Text: ${reason}`,
    notAList: (name) =>
      `${name} ist keine Liste von Links. Legen Sie eine Liste, eine Tabelle oder eine Webseite mit Links hier ab.`,
    checkZip: 'ZIP prüfen',
    reading: 'Links werden gelesen',
    cancel: 'Abbrechen',
    unreadable: 'Dieser Text lässt sich nicht lesen.',
  },

  list: {
    mergeDuplicates: 'Duplikate zusammenfassen',
    checkLinks: 'Links prüfen',
    addFile: 'Datei hinzufügen',
    editAsText: 'Als Text bearbeiten',
    nameByText: 'Nach Linktext benennen',
    undo: 'Rückgängig',
    addHttps: 'https:// ergänzen',
    ignored: (count) => plural(count, { one: '# Textzeile ignoriert', other: '# Textzeilen ignoriert' }),
    ignoredLines: 'Ignorierte Zeilen',
    more: (count) => `und ${count} weitere`,
    schemeless: (link) => `${link} hat kein https://`,
    schemelessMore: (link, count) =>
      plural(count, {
        one: `${link} und # weiterer haben kein https://`,
        other: `${link} und # weitere haben kein https://`,
      }),
    files: 'Dateien',
    hint: (count) =>
      plural(count, {
        one: '# Datei. Die Pfeiltasten nach oben und unten wechseln zwischen den Zeilen, die Tabulatortaste innerhalb einer Zeile, und Escape kehrt zu ihrem Kästchen zurück. Dort klappen die Pfeiltasten nach links und rechts Ordner zu und auf, und die Umschalttaste mit den Pfeiltasten nach oben und unten wählt aus.',
        other:
          '# Dateien. Die Pfeiltasten nach oben und unten wechseln zwischen den Zeilen, die Tabulatortaste innerhalb einer Zeile, und Escape kehrt zu ihrem Kästchen zurück. Dort klappen die Pfeiltasten nach links und rechts Ordner zu und auf, und die Umschalttaste mit den Pfeiltasten nach oben und unten wählt aus.',
      }),
    nameOfFile: (number) => `Name der Datei ${number}`,
    duplicate: 'Duplikat',
    lookInside: 'Hineinsehen',
    remove: (name) => `${name} entfernen`,
    select: (name) => `${name} auswählen`,
    selectFolder: (path) => `Ordner ${path} auswählen`,
  },

  narrowing: {
    removed: (count) => plural(count, { one: '# Datei entfernt', other: '# Dateien entfernt' }),
    moved: (count, folder) =>
      plural(count, {
        one: `# Datei nach ${folder} verschoben`,
        other: `# Dateien nach ${folder} verschoben`,
      }),
    movedToTop: (count) =>
      plural(count, {
        one: '# Datei in die oberste Ebene verschoben',
        other: '# Dateien in die oberste Ebene verschoben',
      }),
    selectAll: 'Alle angezeigten Dateien auswählen',
    chosen: 'Gewählte Dateien',
    selected: (count) => `${count} ausgewählt`,
    shown: (count, total) => `${count} von ${total} angezeigt`,
    onlyThese: 'Nur diese',
    remove: 'Entfernen',
    moveToFolder: 'In Ordner verschieben …',
    selectNone: 'Auswahl aufheben',
    showAll: 'Alle anzeigen',
    foldAll: 'Alle Ordner zuklappen',
    unfoldAll: 'Alle Ordner aufklappen',
    filter: 'Dateien filtern',
    filterPlaceholder: 'Nach Name oder Adresse filtern',
    showOnlyThese: 'Nur diese anzeigen',
    hosts: 'Hosts',
    moreHosts: (count) => plural(count, { one: '# weiterer Host', other: '# weitere Hosts' }),
    folders: 'Ordner',
    moreFolders: (count) => plural(count, { one: '# weiterer Ordner', other: '# weitere Ordner' }),
  },

  moving: {
    title: (count) => plural(count, { one: '# Datei verschieben', other: '# Dateien verschieben' }),
    folder: 'Ordner',
    folderPlaceholder: 'Berichte/2026',
    move: 'Verschieben',
    moveToTop: 'In die oberste Ebene verschieben',
  },

  check: {
    title: 'Prüfung der Links',
    close: 'Schließen',
    stop: 'Anhalten',
    progress: 'Geprüfte Links',
    running: (checked, links) => `Wird geprüft: ${checked} von ${links}`,
    stopped: (checked, links) => `${checked} von ${links} geprüft`,
    checked: (links) => `${links} geprüft`,
    inAll: '{size} insgesamt',
    inAllKnown: (count) =>
      plural(count, {
        one: '{size} insgesamt, ohne # Datei unbekannter Größe',
        other: '{size} insgesamt, ohne # Dateien unbekannter Größe',
      }),
    tooLarge: (limit, size) =>
      `Zu groß für ein Archiv: Ihr Tarif erlaubt ${limit}, und das hier sind ${size}.`,
    remove: (count) => plural(count, { one: '# Link entfernen', other: '# Links entfernen' }),
    fine: 'Keine Probleme gefunden.',
    dead: (count) => plural(count, { one: '# toter Link', other: '# tote Links' }),
    pages: (count) =>
      plural(count, { one: '# Webseite statt einer Datei', other: '# Webseiten statt Dateien' }),
    empty: (count) => plural(count, { one: '# leere Datei', other: '# leere Dateien' }),
    sameLink: 'Derselbe Link',
    sameFile: 'Dieselbe Datei',
    missingLogins: 'Fehlende Anmeldungen',
    signIn: (host) => `Bei ${host} anmelden`,
  },

  logins: {
    ready: 'Die Anmeldungen sind bereit. Fügen Sie Links zu ihren Websites hinzu.',
    unused:
      'Diese Anmeldungen gelten für keinen der Links. Sie werden benutzt, wenn Sie einen Link zu einer ihrer Websites hinzufügen.',
    use: 'Für dieses Archiv benutzen',
    save: (host) => `Für ${host} speichern`,
    leaveOut: 'Weglassen',
    login: (host, names) => `Eine Anmeldung für ${host}: ${names}`,
    headers: (host, names) => `Header für ${host}: ${names}`,
    wrong: {
      curl: (problem) => `Der curl-Befehl ist nicht verwendbar: ${problem}.`,
      'cookies.txt': (problem) => `Die cookies.txt ist nicht verwendbar: ${problem}.`,
      netrc: (problem) => `Die .netrc ist nicht verwendbar: ${problem}.`,
    },
  },

  inside: {
    title: (host) => `Links auf ${host}`,
    looking: 'Wird durchsucht …',
    needsScript:
      'Diese Seite wird anscheinend von Skripten aufgebaut, und Holdall führt keine aus. Vielleicht fehlen hier ihre Links.',
    unread: (count) =>
      plural(count, {
        one: '# Ordner konnte nicht gelesen werden.',
        other: '# Ordner konnten nicht gelesen werden.',
      }),
    none: 'Keine Links auf dieser Seite.',
    filter: 'Text oder Muster',
    filterPlaceholder: 'bericht oder *.pdf',
    first: (count, total) => `Die ersten ${count} von ${total} Links.`,
    folders: (count) => plural(count, { one: 'In # Ordner hineinsehen', other: 'In # Ordner hineinsehen' }),
    links: 'Links der Seite',
    hint: 'Die Pfeiltasten nach oben und unten wechseln zwischen den Links.',
    kinds: 'Arten von Links',
    all: 'Alle',
    cancel: 'Abbrechen',
    add: (count) => plural(count, { one: '# Datei hinzufügen', other: '# Dateien hinzufügen' }),
  },

  options: {
    title: 'Optionen',
    keepFor: 'Aufbewahren',
    skipFailed: 'Fehlgeschlagene Links auslassen',
    skipFailedHelp:
      'Packt die übrigen und zählt die fehlgeschlagenen auf. Sonst hält ein fehlgeschlagener Link das Archiv an.',
    manifest: 'Liste der Quellen und Prüfsummen hinzufügen',
    manifestHelp:
      'Zwei kleine Dateien im ZIP: woher jede Datei kam, und wie sich später prüfen lässt, dass sie unverändert ist.',
    kept: (duration) => `aufbewahrt: ${duration}`,
    skips: 'lässt fehlgeschlagene Links aus',
    stops: 'hält an, wenn ein Link fehlschlägt',
    withChecksums: 'mit Prüfsummen',
    forPrograms: 'Für Programme',
    metadata: 'Metadaten',
    metadataName: (number) => `Name des Metadatums ${number}`,
    metadataValue: (number) => `Wert des Metadatums ${number}`,
    removeMetadata: (number) => `Metadatum ${number} entfernen`,
    addMetadata: 'Metadatum hinzufügen',
    metadataNamePlaceholder: 'Name',
    metadataValuePlaceholder: 'Wert',
  },

  pack: {
    pack: (count) => plural(count, { one: '# Datei packen', other: '# Dateien packen' }),
    createSeveral: (count) => plural(count, { other: '# Archive erstellen' }),
    packing: 'Wird gepackt …',
    keepFirst: (count) => `oder die ersten ${count} behalten`,
    tooMany: (count, max) => `${count} zu viel: Ein Archiv fasst höchstens ${max} Dateien.`,
    repeat: 'Wiederholen',
    refused: 'Dieses Archiv kann so nicht erstellt werden:',
    problem: (field, problem) => `${field}: ${problem}`,
    linkProblem: (number, problem) => `Link ${number} wird nicht angenommen: ${problem}`,
    nameProblem: 'Ein Dateiname darf weder / noch \\ enthalten.',
  },
}

export const repeatCopy: Translation['repeatCopy'] = {
  repeat: 'Wiederholen',
  everyHour: 'Jede Stunde',
  everyDay: 'Jeden Tag',
  everyWeek: 'Jede Woche',
  everyMonth: 'Jeden Monat',
  custom: 'Anders …',
  page: (host) => `Links auf ${host}, jedes Mal neu gelesen …`,

  recurrence: {
    hour: (minute) => `Jede Stunde zur Minute ${minute}`,
    day: (time) => `Jeden Tag um ${time}`,
    week: (weekday, time) => `Jeden ${weekday} um ${time}`,
    month: (day, time) => `Jeden Monat am ${day}. um ${time}`,
    lastDay: (time) => `Jeden Monat am letzten Tag um ${time}`,
    cron: (cron) => `Nach ${cron}`,
  },
}

export const repeatDialogCopy: Translation['repeatDialogCopy'] = {
  name: 'Name',
  every: 'Wie oft',
  units: {
    hour: 'Jede Stunde',
    day: 'Jeden Tag',
    week: 'Jede Woche',
    month: 'Jeden Monat',
    cron: 'Cron-Ausdruck',
  },
  onWeekday: 'Wochentag',
  onDay: 'Am Tag',
  lastDay: 'Letzter Tag des Monats',
  cron: 'Cron-Ausdruck',
  atMinute: 'Zur Minute von',
  at: 'Um',
  keep: 'So viele Archive aufbewahren',
  onGone: 'Wenn es eine Datei nicht mehr gibt',
  gone: {
    keep: 'Die letzte gute behalten',
    leave_out: 'Auslassen',
    fail: 'Anhalten',
  },

  wrong: {
    every: (problem) => `Der Cron-Ausdruck wird nicht angenommen: ${problem}.`,
    name: (problem) => `Der Name wird nicht angenommen: ${problem}.`,
    page: (problem) => `Die Adresse der Seite wird nicht angenommen: ${problem}.`,
    match: (problem) => `Das Muster wird nicht angenommen: ${problem}.`,
    headers: (problem) => `Die Header oder ihre Adresse werden nicht angenommen: ${problem}.`,
  },

  page: {
    lead: 'Holdall liest die Seite bei jedem Lauf neu und packt die Dateien, die sie dann verlinkt.',
    url: 'Seite mit den Links',
    kind: 'Arten von Links',
    allFiles: 'alle Dateien',
    match: 'Muster der Adressen (optional)',
  },

  details: {
    reuse: 'Unveränderte Dateien',
    copy: 'Aus dem vorigen Archiv kopieren',
    fetch: 'Noch einmal abrufen',
    useLogins: 'Gespeicherte Anmeldungen benutzen',
    useLoginsHelp: 'Seiten und Dateien werden mit den Anmeldungen Ihrer Websites abgerufen.',
    headers: 'Eigene Header',
    noHeaders: 'Keine',
    sendNone: 'Keine senden',
    sendOthers: 'Andere senden',
    headersTo: (names, origin) => `${names} an ${origin}`,
    sentTo: 'Gesendet an',
    lines: 'Header, einer je Zeile',
    malformed: 'Schreiben Sie jeden Header als „Name: Wert“ in eine eigene Zeile.',
  },
}

export const schedulesCopy: Translation['schedulesCopy'] = {
  title: 'Zeitpläne',
  lead: 'Listen, die Holdall immer wieder packt.',
  yours: 'Ihre Zeitpläne',
  none: 'Noch keine Zeitpläne',
  noneText:
    'Fügen Sie eine Liste ein, und drücken Sie neben „Packen“ auf „Wiederholen“. Das geht auch bei einem fertigen Archiv.',
  newArchive: 'Neues Archiv',
  removed: 'Entfernt',

  row: {
    paused: 'Pausiert',
    next: (time) => `nächstes: ${time}`,
    last: (time, result) => `letztes: ${time} (${result})`,
  },

  page: {
    title: 'Zeitplan',
    notFound: 'Zeitplan nicht gefunden',
    notFoundText: 'Vielleicht wurde er entfernt.',
    seeYours: 'Zu Ihren Zeitplänen',
    latest: 'Dieser Link öffnet immer das letzte vollständige Archiv.',
    runs: 'Läufe',
    noRuns: 'Noch keine Läufe',
    noRunsText: 'Der erste beginnt zu seiner Zeit. Sie können ihn auch jetzt starten.',
    next: (when, time) => `${when}, nächstes: ${time}`,
    sends: (headers) => `sendet ${headers}`,
    keeps: (count) => plural(count, { one: 'bewahrt # Archiv auf', other: 'bewahrt # Archive auf' }),
    links: 'Links',
    linksOf: (links, url) => `${links} von ${url}`,
    linksThatMatch: (links, url, pattern) => `${links} von ${url}, passend zu ${pattern}`,
  },

  run: {
    running: 'In Arbeit',
    failed: 'Fehlgeschlagen',
    failedBecause: (reason) => `Fehlgeschlagen: ${reason}`,
    ready: 'Fertig',
  },

  menu: {
    actions: (name) => `Aktionen für ${name}`,
    runNow: 'Jetzt starten',
    resume: 'Fortsetzen',
    pause: 'Pausieren',
    resumed: 'Fortgesetzt',
    paused: 'Pausiert',
    edit: 'Bearbeiten',
    remove: 'Entfernen',
    editing: 'Zeitplan bearbeiten',
    removing: 'Diesen Zeitplan entfernen?',
    busy: 'Wird entfernt …',
    removingText:
      'Dann wird nichts mehr gepackt, und der Link zum letzten Archiv gilt nicht mehr. Die Archive bleiben, bis sie ablaufen.',
  },
}

export const notificationsCopy: Translation['notificationsCopy'] = {
  title: 'Benachrichtigungen',
  lead: 'Sie erhalten eine Nachricht, wenn ein Archiv fertig oder fehlgeschlagen ist.',
  places: 'Wo Sie benachrichtigt werden',
  none: 'Noch nirgends',
  noneText: 'Fügen Sie oben etwas hinzu, und testen Sie es, bevor Sie sich darauf verlassen.',
  reference: 'API-Referenz (englisch)',
  added: 'Hinzugefügt',
  webhookAdded: 'Webhook hinzugefügt',

  form: {
    title: 'Benachrichtigen',
    by: 'Per',
    kinds: { email: 'E-Mail', ntfy: 'ntfy', webhook: 'Webhook' },
    noMailServer: (kind) => `${kind} (kein Mailserver)`,
    targets: { email: 'Adresse', ntfy: 'Thema', webhook: 'URL' },
    token: 'Token (optional)',
    savedToken: 'Token (wie bisher, wenn Sie keines eingeben)',
    about: 'Worüber',
    add: 'Hinzufügen',
    adding: 'Wird hinzugefügt …',
    edit: 'Bearbeiten',
  },

  wrong: {
    token: (problem) => `Das Token wird nicht angenommen: ${problem}.`,
    email: (problem) => `Die Adresse wird nicht angenommen: ${problem}.`,
    ntfy: (problem) => `Das Thema wird nicht angenommen: ${problem}.`,
    webhook: (problem) => `Die URL wird nicht angenommen: ${problem}.`,
  },

  occasions: {
    all: 'Alle Archive',
    ready: 'Fertige Archive',
    failed: 'Fehlgeschlagene Archive',
    changed: 'Geänderte Listen und Fehlschläge',
  },
  toldOf: {
    all: 'Meldet alle Archive',
    ready: 'Meldet fertige Archive',
    failed: 'Meldet fehlgeschlagene Archive',
    changed: 'Meldet geänderte Listen und Fehlschläge',
    others: (names) => `Meldet ${names}`,
  },

  row: {
    disabled: 'Abgeschaltet',
    added: (at) => `Hinzugefügt ${at}`,
    test: 'Testen',
    testing: 'Wird getestet …',
    testTarget: (target) => `${target} testen`,
    delivered: 'Test zugestellt',
    failed: (reason) => `Test fehlgeschlagen: ${reason}`,
    unknown: 'Das Ergebnis ist nicht bekannt.',
  },

  page: {
    title: 'Benachrichtigung',
    notFound: 'Benachrichtigung nicht gefunden',
    notFoundText: 'Vielleicht wurde sie gelöscht.',
    seeYours: 'Zu Ihren Benachrichtigungen',
    newSecret: 'Neues Geheimnis erstellt',
    deleted: 'Gelöscht',
    actions: (target) => `Aktionen für ${target}`,
    edit: 'Bearbeiten',
    rotate: 'Neues Geheimnis',
    delete: 'Löschen',
    disabled: (at) => `Abgeschaltet ${at}`,
    reasons: {
      gone: 'Der Empfänger hat endgültig abgelehnt. Senden Sie einen Test, um es wieder einzuschalten.',
      no_success:
        'Seit fünf Tagen wurde keine Nachricht angenommen. Senden Sie einen Test, um es wieder einzuschalten.',
    },
  },

  rotating: {
    title: 'Neues Geheimnis erstellen?',
    action: 'Geheimnis erstellen',
    busy: 'Wird erstellt …',
    text: 'Nachrichten werden 24 Stunden lang auch mit dem alten Geheimnis signiert, damit Zeit bleibt, es zu wechseln.',
  },

  deleting: {
    webhook: 'Diesen Webhook löschen?',
    other: 'Diese Benachrichtigung löschen?',
    action: 'Löschen',
    busy: 'Wird gelöscht …',
    text: 'Dorthin wird nichts mehr gesendet, und die Zustellungen werden gelöscht. Das lässt sich nicht rückgängig machen.',
  },

  secret: {
    lead: 'Mit diesem Geheimnis prüft Ihr Programm, ob eine Nachricht von Holdall kommt ({standard}). Kopieren Sie es jetzt. Es wird nie wieder angezeigt.',
    secret: 'Geheimnis',
    copy: 'Geheimnis kopieren',
  },

  deliveries: {
    title: 'Zustellungen',
    none: 'Noch keine Zustellungen',
    noneText:
      'Senden Sie einen Test, oder warten Sie auf das nächste Archiv. Zustellungen werden 30 Tage aufbewahrt.',
    sendTest: 'Test senden',
    sent: 'Gesendet',
    sendAgain: (message) => `Noch einmal senden: ${message}`,
    attempts: (count) => plural(count, { one: '# Versuch', other: '# Versuche' }),
    messages: {
      'job.completed': 'Archiv fertig',
      'job.failed': 'Archiv fehlgeschlagen',
      'schedule.paused': 'Zeitplan pausiert',
      ping: 'Testnachricht',
    },
    delivered: (status) => `Zugestellt (${status})`,
    failed: (reason) => `Fehlgeschlagen: ${reason}`,
    noAnswer: 'keine Antwort',
    sending: 'Wird gesendet',
    next: (inTime) => `Nächster Versuch ${inTime}`,
    sendingAfter: (reason) => `${reason}, wird gesendet`,
    nextAfter: (reason, inTime) => `${reason}, nächster Versuch ${inTime}`,
  },
}

export const serviceCopy: Translation['serviceCopy'] = {
  title: 'Dienst',
  lead: 'Wie es diesem Holdall geht, für alle Benutzer zusammen.',

  disk: {
    title: 'Datenträger',
    free: (size) => `${size} frei`,
    total: (size) => `von ${size}`,
    meter: 'Belegter Speicherplatz',
    used: (used, total) => `${used} von ${total}`,
    nearlyFull: (keptFree) =>
      `Der Datenträger ist fast voll. Holdall nimmt keine neuen Archive an, bis ${keptFree} frei sind.`,
    archives: 'Archive',
    retries: 'Für neue Versuche aufbewahrt',
    other: 'Alles andere auf dem Datenträger',
    keptFree: 'Wird immer frei gehalten',
  },

  store: {
    title: 'Archivspeicher',
    waits:
      'Fertige Archive warten auf diesem Datenträger und werden hochgeladen, sobald der Speicher wieder funktioniert.',
    state: 'Zustand',
    working: 'Funktioniert',
    notWorking: 'Funktioniert nicht',
    waiting: 'Noch hochzuladen',
    none: 'Keine',
    downloads: 'Downloads',
    proxied: 'Über Holdall',
    direct: 'Direkt aus dem Bucket',
  },

  activity: {
    title: 'Archive',
    running: 'In Arbeit',
    runningOf: (count, max) => `${count} von ${max} gleichzeitig`,
    waiting: 'In der Warteschlange',
    longestWait: 'Längste Wartezeit',
    noWait: 'Keine',
    connections: 'Verbindungen',
    connectionsOf: (count, max) => `${count} von ${max}`,
    ready: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },

  version: {
    title: 'Version und Sicherung',
    version: 'Version',
    runningFor: 'Laufzeit',
    lastBackup: 'Letzte Sicherung',
    noBackup: 'Noch keine',
    backup: '{time} ({size})',
  },

  start: {
    title: 'Beim Anmelden starten',
    text: 'Damit Holdall startet, sobald Sie sich an diesem Computer anmelden, beenden Sie es und führen Sie dies mit den Einstellungen unten aus. Als root unter Linux startet es mit dem Computer.',
    terminal: 'Im Terminal',
    copy: 'Befehl kopieren',
  },

  update: {
    title: 'Aktualisieren',
    text: 'Beenden Sie Holdall, ersetzen Sie das Programm durch das neue, und starten Sie es wieder. Ihre Archive, Schlüssel und Einstellungen bleiben.',
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
    lead: 'Das könnte Ihr Netzwerk öffnen oder Ihre Benutzer umleiten. Bestätigen Sie es auf dem Computer, auf dem Holdall läuft: Führen Sie dort dies aus und geben Sie ein, was ausgegeben wird.',
    terminal: 'Im Terminal',
    copy: 'Befehl kopieren',
    label: 'Bestätigungscode',
  },

  address: {
    title: 'Adresse',
    lead: 'Links, E-Mails und Einladungen verwenden diese Adresse. Ohne sie verwenden sie die, unter der Sie Holdall geöffnet haben.',
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

export const serviceWordsCopy: Translation['serviceWordsCopy'] = {
  sentence: (english) => sentenceIn(SENTENCES, english),
}

/** What the service says elsewhere. In one piece, since the bundler keeps a part that is spread in the page for receivers, too. */
const SENTENCES: Sentences = {
  ...FETCH_ERRORS,

  // What is wrong with a field, after "Der Name wird nicht angenommen: ".
  'is needed': 'die Angabe fehlt',
  'is not valid': 'ungültig',
  'must be a list': 'nötig ist eine Liste',
  'must be a number': 'nötig ist eine Zahl',
  'must be a string': 'nötig ist ein Text',
  'must be a whole number': 'nötig ist eine ganze Zahl',
  'must be an object': 'nötig ist ein Objekt',
  'must be true or false': 'nötig ist true oder false',
  'must be a UUID': 'nötig ist eine UUID',
  'must be one of {values}': 'möglich sind {values}',
  'must not have {names}': 'unbekannt: {names}',
  'must be at least {least}': 'mindestens {least}',
  'must be at most max_retention_seconds, {most}':
    'höchstens so lang wie die längste Aufbewahrung ({most} Sekunden)',
  'must be at most {most}': 'höchstens {most}',
  'must be a whole number from {least} to {most}': 'nötig ist eine ganze Zahl von {least} bis {most}',
  'must have at least {least} character': 'mindestens {least} Zeichen',
  'must have at least {least} characters': 'mindestens {least} Zeichen',
  'must have at most {most} character': 'höchstens {most} Zeichen',
  'must have at most {most} characters': 'höchstens {most} Zeichen',
  'must have at most {most} characters in all': 'höchstens {most} Zeichen insgesamt',
  'must have at least {least} item': 'mindestens {least} Eintrag',
  'must have at least {least} items': 'mindestens {least} Einträge',
  'must have at most {most} item': 'höchstens {most} Eintrag',
  'must have at most {most} items': 'höchstens {most} Einträge',
  'must have at most {most} pairs': 'höchstens {most} Paare',
  'must have names of at most {most} characters in all':
    'die Namen dürfen zusammen höchstens {most} Zeichen haben',
  'must not be empty': 'darf nicht leer sein',
  'must not come twice': 'kommt zweimal vor',
  'must be well-formed Unicode text': 'enthält ungültige Zeichen',
  'must not contain control characters': 'darf keine Steuerzeichen enthalten',
  'must not contain bidirectional controls': 'darf keine Zeichen enthalten, die die Schreibrichtung ändern',
  'must not contain /, \\ or control characters': 'darf weder / noch \\ noch Steuerzeichen enthalten',
  'must have {least} to {most} printable characters, without white space at its ends':
    '{least} bis {most} druckbare Zeichen, ohne Leerzeichen am Anfang und am Ende',
  'must be printable ASCII without spaces':
    'nur Buchstaben ohne Umlaute, Ziffern und Zeichen wie - oder _, ohne Leerzeichen',
  'must contain printable ASCII characters only':
    'nur Buchstaben ohne Umlaute, Ziffern und Zeichen wie - oder _',
  'must be given, or {other}': 'die Angabe fehlt',
  'must be given, or else files, and not both': 'nötig ist genau eine Liste',
  'must be given, or files or page, and only one of them': 'nötig ist genau eine Liste oder Seite',
  'must be given, or files or page, but only one of them': 'nötig ist genau eine Liste oder Seite',

  'must be a time with Z or an offset, as in {example}': 'nötig ist eine Zeit mit Zeitzone, etwa {example}',
  'must be in the future': 'das ist schon vorbei',
  'must be the name of a time zone, as in {example}': 'nötig ist der Name einer Zeitzone, etwa {example}',
  'must be {intervals}, or an object with cron': 'möglich sind {intervals} oder ein Cron-Ausdruck',
  'must have five fields: minute, hour, day of the month, month, weekday':
    'nötig sind fünf Felder: Minute, Stunde, Tag des Monats, Monat, Wochentag',
  'must have a time at which it is due': 'dazu kommt es nie',
  'cannot be read (+ is not supported)': 'er ist nicht lesbar, + gibt es nicht',
  'cannot be read ({reason})': 'er ist nicht lesbar',

  'must be an http or https URL': 'nötig ist eine http- oder https-Adresse',
  'must be an https URL': 'nötig ist eine https-Adresse',
  'must be an http or https origin without a path, as in {example}':
    'nötig ist eine http- oder https-Adresse ohne Pfad, etwa {example}',
  'must not lead to a private network': 'sie führt in ein privates Netz',
  'must be the URL of a topic, as in {example}, without a password or query':
    'nötig ist die Adresse eines Themas, etwa {example}, ohne Passwort und Abfrage',
  'must be the URL of a topic': 'nötig ist die Adresse eines Themas',
  'must be one e-mail address, as in {example}': 'nötig ist eine einzelne E-Mail-Adresse, etwa {example}',
  'must be another one: this service has no mail server': 'hier ist kein Mailserver eingerichtet',
  'must be given anew, or null, with another url': 'geben Sie es für die neue Adresse noch einmal ein',
  'is not a field of this notifier, whose kind is {kind}': 'das gibt es bei dieser Benachrichtigung nicht',
  'must be the name of a header, such as {example}': 'nötig ist der Name eines Headers, etwa {example}',
  'must not be a header that Holdall sets itself': 'diesen Header setzt Holdall selbst',
  'must be false for an address, or a name without a dot': 'Subdomains gibt es nur bei Namen mit einem Punkt',
  'must be given anew with another origin, with include_subdomains, or when the site is shared':
    'geben Sie sie für eine andere Adresse, für Subdomains oder zum Teilen noch einmal ein',
  'must be 64 hexadecimal digits': 'nötig sind 64 hexadezimale Ziffern',
  'must be a job whose archive is still kept': 'das frühere Archiv wird nicht mehr aufbewahrt',
  'must be one that this service gave out for this list': 'die Liste hat sich geändert',
  'is not the position of a failed URL': 'dieser Link ist nicht fehlgeschlagen',
  'is not the position of a URL with a warning': 'dieser Link hat keine Warnung',
  'must stay as it is for the owner': 'wem dieses Holdall gehört, behält den Namen',
  'is taken': 'schon vergeben',

  'is set by {flag}, so it cannot be changed here': 'durch {flag} festgelegt und deshalb hier nicht änderbar',
  'must be a network, as in {example}': 'nötig ist ein Netzwerk, etwa {example}',
  'must be http://HOST:PORT or https://HOST:PORT': 'nötig ist http://HOST:PORT oder https://HOST:PORT',
  'must be smtps://USER:PASSWORD@HOST:PORT?from=ADDRESS, or smtp://':
    'nötig ist smtps://BENUTZER:PASSWORT@HOST:PORT?from=ADRESSE, oder smtp://',
  'must be bytes per second from 1k on, as in 500k or 20M':
    'nötig ist eine Zahl von Bytes pro Sekunde, etwa 500k oder 20M',

  // What is wrong with a curl command, a cookies.txt or a .netrc, after "Der curl-Befehl ist nicht verwendbar: ".
  '(command {number}) {sentence}': '(Befehl {number}) {sentence}',
  'has no curl command': 'der Text enthält keinen',
  'has something else than curl commands. Remove it, and put each URL in quotation marks':
    'der Text enthält auch anderes. Entfernen Sie es, und setzen Sie jede URL in Anführungszeichen',
  'has no URL': 'die URL fehlt',
  'has a URL that is not an http or https URL': 'eine URL beginnt weder mit http noch mit https',
  'has a URL that stands for several ({} or []). Write each URL, or add -g':
    'eine URL steht für mehrere ({} oder []). Schreiben Sie jede einzeln, oder ergänzen Sie -g',
  'has a quotation mark that is not closed': 'ein Anführungszeichen ist nicht geschlossen',
  'has a variable of the shell. Write its value instead, or put it in single quotes':
    'eine Variable der Shell kommt vor. Schreiben Sie ihren Wert hin, oder setzen Sie sie in einfache Anführungszeichen',
  'has an option{name} that Holdall does not know. Remove it':
    'die Option{name} ist unbekannt. Entfernen Sie sie',
  'has nothing after its option {option}': 'nach der Option {option} fehlt etwas',
  'has no password in its option {option}': 'in der Option {option} fehlt das Passwort',
  'has the option {option} with a file of cookies. Give that file itself':
    'die Option {option} nennt eine Datei mit Cookies. Legen Sie diese Datei selbst hier ab',
  'has an option -H with a file. Give that file itself':
    'die Option -H nennt eine Datei. Schreiben Sie die Header selbst hin',
  'has the option {option}, which {sentence}': 'die Option {option} {sentence}',
  'sends data. Holdall only fetches files, with GET': 'sendet Daten. Holdall ruft nur Dateien ab, mit GET',
  'changes the address by more than its text. Write the whole address':
    'ändert die Adresse. Schreiben Sie die ganze Adresse hin',
  'asks for the header alone. Holdall only fetches files, with GET':
    'verlangt nur die Header. Holdall ruft nur Dateien ab, mit GET',
  'asks for a part of the file. Holdall fetches whole files':
    'verlangt einen Teil der Datei. Holdall ruft ganze Dateien ab',
  'names another file. Give that file itself': 'nennt eine andere Datei. Legen Sie diese selbst hier ab',
  'signs in by a method that Holdall does not have': 'meldet auf eine Art an, die Holdall nicht kann',
  'takes another way to the server. Remove it': 'nimmt einen anderen Weg zum Server. Entfernen Sie sie',
  'asks for the method {method}. Holdall only fetches files, with GET':
    'die Methode {method} ist nicht möglich. Holdall ruft nur Dateien ab, mit GET',
  'of its option -X': 'der Option -X',
  'has a header without a colon': 'in einem Header fehlt der Doppelpunkt',
  'has a header whose name {sentence}': 'ein Header hat einen falschen Namen, {sentence}',
  'has a header {name} whose value {sentence}': 'der Header {name} hat einen falschen Wert, {sentence}',
  '(line {number}) is not a valid cookies.txt line. Export the cookies in the Netscape format':
    'Zeile {number} passt nicht. Exportieren Sie die Cookies im Netscape-Format',
  '(line {number}) is not a valid .netrc line. Put a password with spaces in quotes':
    'Zeile {number} passt nicht. Setzen Sie ein Passwort mit Leerzeichen in Anführungszeichen',
  '(line {number}) ends after {keyword}': 'Zeile {number} endet nach {keyword}',

  'The {plan} plan allows {max} URLs per job, and this job has {count}.':
    'Der Tarif {plan} erlaubt {max} Links pro Archiv, und dieses hat {count}.',
  'The {plan} plan keeps archives for {max} seconds at most, and expires_in asks for {count}.':
    'Der Tarif {plan} bewahrt Archive höchstens {max} Sekunden auf, und verlangt sind {count}.',
  'On every plan, a user may have {max} jobs that wait or run, and you have that many. Wait until some have ended, or cancel some.':
    'In jedem Tarif dürfen {max} Archive warten oder in Arbeit sein, und so viele haben Sie. Warten Sie, bis einige fertig sind, oder brechen Sie welche ab.',
  'On every plan, a user may have {max} schedules, and you have that many. Delete one that you no longer use.':
    'In jedem Tarif gibt es {max} Zeitpläne, und so viele haben Sie. Löschen Sie einen, den Sie nicht mehr brauchen.',
  'On every plan, a user may have {max} API keys, and you have that many. Revoke keys that you no longer use.':
    'In jedem Tarif gibt es {max} API-Schlüssel, und so viele haben Sie. Widerrufen Sie welche, die Sie nicht mehr brauchen.',
  'On every plan, a user may have {max} sites, and you have that many. Delete one that you no longer use.':
    'In jedem Tarif gibt es {max} Websites, und so viele haben Sie. Löschen Sie eine, die Sie nicht mehr brauchen.',
  'On every plan, a user may have {max} webhooks and other notifiers, and you have that many. Delete one that you no longer use.':
    'In jedem Tarif gibt es {max} Benachrichtigungen, und so viele haben Sie. Löschen Sie eine, die Sie nicht mehr brauchen.',
  'On the {plan} plan, the URLs and results of your jobs and your webhook deliveries may take {max} MB, and they take {size} MB. Delete jobs that you no longer need.':
    'Im Tarif {plan} dürfen Ihre Listen, Ergebnisse und Zustellungen {max} MB belegen, und sie belegen {size} MB. Löschen Sie Archive, die Sie nicht mehr brauchen.',
  'The {plan} plan runs a schedule every {least} at most, and this one asks for every {wanted}.':
    'Der Tarif {plan} führt einen Zeitplan höchstens einmal in {least} aus, und dieser verlangt einmal in {wanted}.',
  day: 'einem Tag',
  hour: 'einer Stunde',
  minute: 'einer Minute',
  '{count} days': '{count} Tagen',
  '{count} hours': '{count} Stunden',
  '{count} minutes': '{count} Minuten',
  '{count} seconds': '{count} Sekunden',

  'The disk of the service is nearly full. Delete jobs that you no longer need, or try again later.':
    'Der Datenträger des Dienstes ist fast voll. Löschen Sie Archive, die Sie nicht mehr brauchen, oder versuchen Sie es später noch einmal.',
  'The disk of the database is nearly full. Free some space on it, then try again.':
    'Der Datenträger der Datenbank ist fast voll. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  'A directory of the service is missing, or its disk does not respond. Restore it, or restart the service.':
    'Ein Verzeichnis des Dienstes fehlt, oder sein Datenträger antwortet nicht. Stellen Sie es wieder her, oder starten Sie den Dienst neu.',

  'The disk of the service is full. Free some space on it, then try again.':
    'Der Datenträger des Dienstes ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  'The service cannot use its disk at the moment. Its log says why.':
    'Der Dienst kann seinen Datenträger gerade nicht benutzen. Warum, steht in seinem Protokoll.',
  'Another program holds the database of the service. Try again in a moment.':
    'Ein anderes Programm hält die Datenbank des Dienstes fest. Versuchen Sie es gleich noch einmal.',

  'This job is being retried.': 'Für dieses Archiv läuft schon ein neuer Versuch.',
  'This job has expired. Create a new job.': 'Dieses Archiv ist abgelaufen. Erstellen Sie ein neues.',
  'The URLs of this job are no longer kept. Create a new job.':
    'Die Links dieses Archivs werden nicht mehr aufbewahrt. Erstellen Sie ein neues.',
  'The archive of this job is no longer kept. Create a new job.':
    'Dieses Archiv wird nicht mehr aufbewahrt. Erstellen Sie ein neues.',
  'The archive of the base has expired or was deleted. Choose another base, or leave it out.':
    'Das Archiv, aus dem kopiert werden sollte, ist abgelaufen oder wurde gelöscht.',
  'Only a failed job can be retried; this one is {status}.':
    'Nur bei einem fehlgeschlagenen Archiv gibt es einen neuen Versuch, und dieses ist {status}.',
  'Only a job that has not ended can be cancelled; this one is {status}.':
    'Nur ein Archiv in Arbeit lässt sich abbrechen, und dieses ist {status}.',
  pending: 'noch nicht an der Reihe',
  processing: 'in Arbeit',
  completed: 'fertig',
  failed: 'fehlgeschlagen',
  'Only URLs that failed can be replaced, each once.':
    'Nur fehlgeschlagene Links lassen sich ersetzen, jeder einmal.',
  'Of a completed job, only URLs with a warning can be replaced, each once.':
    'In einem fertigen Archiv lassen sich nur Links mit einer Warnung ersetzen, jeder einmal.',
  'A run of this schedule is under way. Wait for its end.':
    'Dieser Zeitplan läuft gerade. Warten Sie, bis er damit fertig ist.',
  'Another run of this schedule is under way. Wait for its end.':
    'Dieser Zeitplan läuft gerade. Warten Sie, bis er damit fertig ist.',
  'Enter the token again: this change sends it elsewhere.':
    'Geben Sie das Token noch einmal ein: Mit dieser Änderung wird es woandershin gesendet.',
  'A user may test webhooks and other notifiers {count} times per minute. Try again in {seconds} s.':
    'Benachrichtigungen lassen sich {count}-mal in der Minute testen. Versuchen Sie es in {seconds} s noch einmal.',
  'A user {name} already exists. Choose another name.':
    'Einen Benutzer {name} gibt es schon. Wählen Sie einen anderen Namen.',
  'The owner cannot be removed: the service belongs to it.':
    'Wem dieses Holdall gehört, lässt sich nicht entfernen.',
  'The owner keeps its name.': 'Wem dieses Holdall gehört, behält den Namen.',
  'There is no base URL: each link has the address of its request.':
    'Es gibt keine Basis-URL: Links beginnen mit der Adresse der jeweiligen Anfrage.',
  'The settings were changed meanwhile. Load them again, then repeat your change.':
    'Die Einstellungen wurden inzwischen geändert. Laden Sie die Seite neu, und wiederholen Sie Ihre Änderung.',
  'The settings were changed meanwhile by {key}. Load them again, then repeat your change.':
    'Die Einstellungen wurden inzwischen mit „{key}“ geändert. Laden Sie die Seite neu, und wiederholen Sie Ihre Änderung.',
  'The request is not valid.': 'Diese Eingabe wird nicht angenommen.',

  'The service is starting. Try again in a moment.':
    'Der Dienst startet. Versuchen Sie es gleich noch einmal.',
  'A user may look into {max} pages or lists at once. Wait for one of them, or stop it.':
    'Man kann in {max} Seiten oder Listen zugleich hineinsehen. Warten Sie auf eine davon, oder brechen Sie sie ab.',
  'Many pages and lists are being looked into. Try again in a moment.':
    'Gerade wird in viele Seiten und Listen hineingesehen. Versuchen Sie es gleich noch einmal.',
  'The page has more than 10 MB.': 'Die Seite hat mehr als 10 MB.',
  'The page can’t be looked into: {sentence}': 'In die Seite lässt sich nicht hineinsehen: {sentence}',
  'The page can’t be looked into: {reason}. {sentence}':
    'In die Seite lässt sich nicht hineinsehen: {reason}. {sentence}',
  'The page can’t be looked into: {reason}.': 'In die Seite lässt sich nicht hineinsehen: {reason}.',
  'It was stopped.': 'Es wurde abgebrochen.',
  'It is a file{type} and no page.': 'Sie ist eine Datei{type} und keine Seite.',
  'The page has more links than Holdall looks at.': 'Die Seite hat mehr Links, als Holdall ansieht.',
  'No link of the page is of this kind, or matches.': 'Kein Link der Seite ist von dieser Art oder passt.',
  'The page has no links.': 'Die Seite hat keine Links.',

  '{urls} could not be fetched.': '{urls} konnten nicht abgerufen werden.',
  '{count} of {total} URL': '{count} von {total} Link',
  '{count} of {total} URLs': '{count} von {total} Links',
  'The ZIP would be larger than the {limit} that your plan allows.':
    'Das ZIP würde größer als die {limit}, die Ihr Tarif erlaubt.',
  'The disk is full. Free some space, then retry: the job continues where it stopped.':
    'Der Datenträger ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal: Es geht weiter, wo es aufgehört hat.',
  'The service could not use its disk. Its log says why. Retry the job to continue where it stopped.':
    'Der Dienst konnte seinen Datenträger nicht benutzen. Warum, steht in seinem Protokoll. Ein neuer Versuch macht dort weiter, wo es aufgehört hat.',
  'Something went wrong in Holdall. Retry the job to continue where it stopped.':
    'In Holdall ist ein Fehler aufgetreten. Ein neuer Versuch macht dort weiter, wo es aufgehört hat.',
  '{count} runs in a row have failed. The last one: {sentence}':
    '{count} Läufe nacheinander sind fehlgeschlagen. Der letzte: {sentence}',
  Five: 'Fünf',

  'The source sent a file of 0 bytes. Open the link to see whether the file is still there.':
    'Die Quelle hat eine Datei von 0 Bytes geschickt. Öffnen Sie den Link, um zu sehen, ob es die Datei noch gibt.',
  'The source sent a sign-in page in place of a {extension} file. Use a link that works without signing in.':
    'Die Quelle hat statt einer Datei der Art {extension} eine Anmeldeseite geschickt. Verwenden Sie einen Link, der ohne Anmeldung geht.',
  'The source sent a web page in place of a {extension} file. Open the link to see what the page says.':
    'Die Quelle hat statt einer Datei der Art {extension} eine Webseite geschickt. Öffnen Sie den Link, um zu sehen, was darauf steht.',
  'The saved login for {site} may have expired.':
    'Die gespeicherte Anmeldung für {site} ist vielleicht abgelaufen.',

  'The address redirects elsewhere. Enter the address that it leads to.':
    'Die Adresse leitet weiter. Geben Sie die ein, zu der sie führt.',
  'Something else answers there (HTTP {status}), not this Holdall.':
    'Dort antwortet etwas anderes (HTTP {status}), nicht dieses Holdall.',
  'Nothing answers there: {reason}.': 'Dort antwortet nichts: {reason}.',

  'HTTPS required': 'HTTPS ist nötig',
  'Access token lost': 'Das Zugriffstoken ist verloren gegangen',
  'No mail server': 'Kein Mailserver eingerichtet',
  'Internal error': 'Interner Fehler',
  'Mail server: {reason}': 'Mailserver: {reason}',
  'Mail server refused the login (SMTP {status})': 'Der Mailserver lehnte die Anmeldung ab (SMTP {status})',
  'Address refused (SMTP {status})': 'Die Adresse wurde abgelehnt (SMTP {status})',
}

/** Lines that are the same in English, because the word is. A test finds all others, which nobody has translated. */
export const sameInEnglish: readonly string[] = [
  'notificationsCopy.form.kinds.ntfy',
  'notificationsCopy.form.kinds.webhook',
  'notificationsCopy.form.targets.webhook',
  'notificationsCopy.form.token',
  'repeatDialogCopy.name',
  'serviceCopy.store.downloads',
  'serviceCopy.version.version',
  'newArchiveCopy.narrowing.hosts',
  'newArchiveCopy.options.metadataNamePlaceholder',
  'archivePageCopy.details.links',
  'archivePageCopy.files.status',
  'archivePageCopy.state',
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
