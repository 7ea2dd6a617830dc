import { expect, test } from 'bun:test'
import { plainSubject, titleIn, titleOfFile } from '../../ui/src/links/find-title.ts'
import { isMail } from '../../ui/src/new-archive/is-mail.ts'
import { asArchiveName, numbered } from '../../ui/src/new-archive/name-text.ts'
import { readMail } from '../../ui/src/new-archive/read-mail.ts'

test('A forwarded e-mail is called by its subject, in the words of many mail programs', () => {
  const forwarded = (label: string) =>
    `Hi, see below.\n\n---------- Forwarded message ---------\nFrom: Ann <ann@a.test>\n${label} Slides for Monday\nTo: Tom\n\nhttps://a.test/1.pdf`
  for (const label of ['Subject:', '> Betreff:', '*Objet :*', 'Asunto: RE: Fwd:', 'Oggetto: AW[2]:'])
    expect(titleIn(forwarded(label))).toBe('Slides for Monday')
})

test('A page is called by its title, else by its first heading', () => {
  expect(titleIn('<html><title>\n Reports &amp; more &#8211; 2026 </title><h1>No</h1>')).toBe(
    'Reports & more – 2026',
  )
  expect(titleIn('<h2>Later</h2><h1 class="x">The <b>first</b>\n heading</h1>')).toBe('The first heading')
  expect(titleIn('<div><h2>Only this</h2></div>')).toBe('Only this')
})

test('A text that tells no title has none', () => {
  for (const text of [
    '',
    'https://a.test/1.pdf',
    'the subject is https://a.test',
    'Subject: https://a.test/1',
    '<title> </title>',
  ])
    expect(titleIn(text)).toBeNull()
})

test('A file is called by its name without the ending', () => {
  expect(['links.txt', 'My list.v2.csv', '.hidden', 'noending'].map(titleOfFile)).toEqual([
    'links',
    'My list.v2',
    '.hidden',
    'noending',
  ])
})

test('A hostile text takes time in proportion to its length', () => {
  const texts = [
    '<h1>'.repeat(200_000),
    '<title '.repeat(100_000),
    '> '.repeat(400_000),
    're: '.repeat(200_000),
  ]
  for (const text of texts) expect(titleIn(text)).toBeNull()
  expect(plainSubject('re: '.repeat(1_000))).toBeNull()
})

test('A title becomes a name that files can have', () => {
  expect(asArchiveName('Q3 / Q4: "figures" <draft>?')).toBe('Q3 - Q4 - figures draft')
  expect(asArchiveName('a\u202Eb\u0007\tc')).toBe('ab c')
  expect([...asArchiveName('😀'.repeat(300))]).toHaveLength(100)
  expect(asArchiveName(' /// ')).toBe('')
})

test('A name is numbered after those of earlier archives, also of one in several parts', () => {
  expect(numbered('links', [])).toBe('links')
  expect(numbered('links', ['other', 'links of Ann', 'links2'])).toBe('links')
  expect(numbered('links', ['links'])).toBe('links (2)')
  expect(numbered('links', ['links (1 of 3)', 'links (2 of 3)'])).toBe('links (2)')
  expect(numbered('links', ['links (3)', 'links', 'links (2) (1 of 2)'])).toBe('links (4)')
  expect(numbered('links (2)', ['links (2)', 'links'])).toBe('links (3)')
  expect(numbered('links (2)', ['other'])).toBe('links (2)')
})

const MAIL = `Received: by mail.a.test
From: =?UTF-8?Q?J=C3=B6rg?= <joerg@a.test>
Subject: =?UTF-8?B?QmzDpHR0ZXIgZsO8ciBNb250YWc=?=
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

See https://a.test/one.pdf?id=3D1&long=
Name=3Dyes and more.
--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${btoa('<a href="https://a.test/one.pdf?id=1&amp;longName=yes">one</a> <a href="https://a.test/two.pdf">two</a>')}
--b--
`.replaceAll('\n', '\r\n')

test('A saved e-mail gives its subject and its decoded text', async () => {
  expect(isMail(MAIL)).toBe(true)
  const { subject, text } = await readMail(new TextEncoder().encode(MAIL))
  expect(subject).toBe('Blätter für Montag')
  expect(text).toContain('https://a.test/two.pdf')
  const plain = `${MAIL.slice(0, MAIL.indexOf('--b\r\nContent-Type: text/html'))}--b--\r\n`
  expect((await readMail(new TextEncoder().encode(plain))).text).toContain(
    'https://a.test/one.pdf?id=1&longName=yes and',
  )
})

test('A list of links is not taken for an e-mail', () => {
  for (const text of [
    'https://a.test/1\nhttps://a.test/2',
    'From: Ann\n\nhttps://a.test',
    'url,name\n',
    'Hello,\nsubject: x',
  ])
    expect(isMail(text)).toBe(false)
})
