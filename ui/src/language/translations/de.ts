/** German. Readers are addressed as „Sie“, and not at all where a sentence does without. */
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

/** Lines that are the same in English, because the word is. A test finds all others, which nobody has translated. */
export const sameInEnglish: readonly string[] = ['keysCopy.form.name']
