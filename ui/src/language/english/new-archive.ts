import { catalogue } from '../catalogue.ts'
import { plural } from '../plural.ts'

export const newArchiveCopy = catalogue('newArchiveCopy', {
  title: 'New archive',
  lead: 'Holdall fetches your links and packs them into one ZIP.',
  rename: 'Rename',
  name: 'Archive name',
  recent: 'Recent archives',
  all: 'All archives',
  none: 'Your archives will appear here',
  noneText: 'Paste some links above to create your first. You can close this page while it builds.',
  tryExample: 'Try an example',
  exampleTitle: 'How the web works',

  box: {
    title: 'Paste, drop or type links',
    text: 'An e-mail, a web page, a table, JSON: every link in it is found. For links behind a login, paste “Copy as cURL” from your browser’s developer tools, or drop a cookies.txt.',
    choose: 'Choose a file',
    files: 'Files with links',
    found: (count: number) => plural(count, { one: '# link found', other: '# links found' }),
    showAsList: 'Show as list',
    noLinks: 'No links in that text',
    noLinksBecause: (reason: string) => `No links in that text: ${reason}`,
    notAList: (name: string) =>
      `${name} is not a list of links. Drop a list, a table or a web page with links in it.`,
    checkZip: 'Check a ZIP',
    reading: 'Reading links',
    cancel: 'Cancel',
    unreadable: 'This text can’t be read.',
  },

  list: {
    mergeDuplicates: 'Merge duplicates',
    checkLinks: 'Check links',
    addFile: 'Add a file',
    editAsText: 'Edit as text',
    nameByText: 'Name by link text',
    undo: 'Undo',
    addHttps: 'Add https://',
    ignored: (count: number) =>
      plural(count, { one: '# line of text ignored', other: '# lines of text ignored' }),
    ignoredLines: 'Ignored lines',
    more: (count: string) => `and ${count} more`,
    schemeless: (link: string) => `${link} has no https://`,
    schemelessMore: (link: string, count: number) =>
      plural(count, {
        one: `${link} and # more have no https://`,
        other: `${link} and # more have no https://`,
      }),
    files: 'Files',
    hint: (count: number) =>
      plural(count, {
        one: '# file. Up and Down move between the rows, Tab within a row, and Escape to its checkbox. There, Left and Right fold and open folders, and Shift with Up or Down selects.',
        other:
          '# files. Up and Down move between the rows, Tab within a row, and Escape to its checkbox. There, Left and Right fold and open folders, and Shift with Up or Down selects.',
      }),
    nameOfFile: (number: string) => `Name of file ${number}`,
    duplicate: 'Duplicate',
    lookInside: 'Look inside',
    remove: (name: string) => `Remove ${name}`,
    select: (name: string) => `Select ${name}`,
    selectFolder: (path: string) => `Select folder ${path}`,
  },

  narrowing: {
    removed: (count: number) => plural(count, { one: '# file removed', other: '# files removed' }),
    moved: (count: number, folder: string) =>
      plural(count, { one: `# file moved to ${folder}`, other: `# files moved to ${folder}` }),
    movedToTop: (count: number) =>
      plural(count, { one: '# file moved to the top', other: '# files moved to the top' }),
    selectAll: 'Select all files that are shown',
    chosen: 'Chosen files',
    selected: (count: string) => `${count} selected`,
    shown: (count: string, total: string) => `${count} of ${total} shown`,
    onlyThese: 'Only these',
    remove: 'Remove',
    moveToFolder: 'Move to folder…',
    selectNone: 'Select none',
    showAll: 'Show all',
    foldAll: 'Fold all folders',
    unfoldAll: 'Unfold all folders',
    filter: 'Filter files',
    filterPlaceholder: 'Filter by name or address',
    showOnlyThese: 'Show only these',
    hosts: 'Hosts',
    moreHosts: (count: number) => plural(count, { one: '# more host', other: '# more hosts' }),
    folders: 'Folders',
    moreFolders: (count: number) => plural(count, { one: '# more folder', other: '# more folders' }),
  },

  moving: {
    title: (count: number) => plural(count, { one: 'Move # file', other: 'Move # files' }),
    folder: 'Folder',
    folderPlaceholder: 'Papers/2026',
    move: 'Move',
    moveToTop: 'Move to the top',
  },

  check: {
    title: 'Check of the links',
    close: 'Close',
    stop: 'Stop',
    progress: 'Links checked',
    running: (checked: string, links: string) => `Checking: ${checked} of ${links}`,
    stopped: (checked: string, links: string) => `${checked} of ${links} checked`,
    checked: (links: string) => `${links} checked`,
    inAll: '{size} in all',
    inAllKnown: (count: number) =>
      plural(count, {
        one: '{size} in all, without # file of unknown size',
        other: '{size} in all, without # files of unknown size',
      }),
    tooLarge: (limit: string, size: string) =>
      `Too large for one archive: your plan allows ${limit}, and these are ${size}.`,
    remove: (count: number) => plural(count, { one: 'Remove # link', other: 'Remove # links' }),
    fine: 'No problems found.',
    dead: (count: number) => plural(count, { one: '# dead link', other: '# dead links' }),
    pages: (count: number) =>
      plural(count, { one: '# web page instead of a file', other: '# web pages instead of files' }),
    empty: (count: number) => plural(count, { one: '# empty file', other: '# empty files' }),
    sameLink: 'Same link',
    sameFile: 'Same file',
    missingLogins: 'Logins that are missing',
    signIn: (host: string) => `Sign in to ${host}`,
  },

  logins: {
    ready: 'The logins are ready. Add links to their sites.',
    unused: 'None of the links needs these logins. They are used when you add a link to one of their sites.',
    use: 'Use for this archive',
    save: (host: string) => `Save for ${host}`,
    leaveOut: 'Leave out',
    login: (host: string, names: string) => `A login for ${host}: ${names}`,
    headers: (host: string, names: string) => `Headers for ${host}: ${names}`,
    /** What is wrong with what was pasted, in words of the reader of logins: "The curl command has no URL." */
    wrong: {
      curl: (problem: string) => `The curl command ${problem}.`,
      'cookies.txt': (problem: string) => `The cookies.txt ${problem}.`,
      netrc: (problem: string) => `The .netrc ${problem}.`,
    },
  },

  inside: {
    title: (host: string) => `Links on ${host}`,
    looking: 'Looking inside…',
    needsScript: 'Scripts seem to build this page, and Holdall runs none. Its links may be missing here.',
    unread: (count: number) =>
      plural(count, { one: '# folder couldn’t be read.', other: '# folders couldn’t be read.' }),
    none: 'No links on this page.',
    filter: 'Text or pattern',
    filterPlaceholder: 'report or *.pdf',
    first: (count: string, total: string) => `The first ${count} of ${total} links.`,
    folders: (count: number) => plural(count, { one: 'Look into # folder', other: 'Look into # folders' }),
    links: 'Links of the page',
    hint: 'Up and Down move between the links.',
    kinds: 'Kinds of links',
    all: 'All',
    cancel: 'Cancel',
    add: (count: number) => plural(count, { one: 'Add # file', other: 'Add # files' }),
  },

  options: {
    title: 'Options',
    keepFor: 'Keep for',
    skipFailed: 'Skip failed links',
    skipFailedHelp: 'Build from the rest and list failures. If off, one failed link stops the archive.',
    manifest: 'Add a list of sources and checksums',
    manifestHelp:
      'Two small files in the ZIP: where each file came from, and how to check later that it is unchanged.',
    kept: (duration: string) => `kept for ${duration}`,
    skips: 'skips failed links',
    stops: 'stops if a link fails',
    withChecksums: 'with checksums',
    forPrograms: 'For programs',
    metadata: 'Metadata',
    metadataName: (number: number) => `Metadata name ${number}`,
    metadataValue: (number: number) => `Metadata value ${number}`,
    removeMetadata: (number: number) => `Remove metadata ${number}`,
    addMetadata: 'Add metadata',
    metadataNamePlaceholder: 'Name',
    metadataValuePlaceholder: 'Value',
  },

  pack: {
    pack: (count: number) => plural(count, { one: 'Pack # file', other: 'Pack # files' }),
    createSeveral: (count: number) => plural(count, { other: 'Create # archives' }),
    packing: 'Packing…',
    keepFirst: (count: string) => `or keep the first ${count}`,
    tooMany: (count: string, max: string) => `${count} too many: an archive can hold ${max} files.`,
    repeat: 'Repeat',
    refused: 'This archive can’t be created as it is:',
    /** What the service finds wrong with a link, in its words. */
    problem: (field: string, problem: string) => `${field} ${problem}`,
    linkProblem: (number: number, problem: string) => `Link ${number} ${problem}`,
    nameProblem: 'A file name can’t contain / or \\.',
  },
})
