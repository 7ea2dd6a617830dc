// Searches all pages of the documentation, by an index that is loaded when the field gets the focus.

const panel = document.querySelector('.search')
const field = panel.querySelector('input')
const status = panel.querySelector('[role="status"]')
const list = panel.querySelector('ul')
const contents = document.querySelector('.contents details')
/** More would not be read. */
const MAX_RESULTS = 30
let index

function places() {
  index ??= fetch('/docs/search.json')
    .then((response) => response.json())
    .catch((error) => {
      // The next key tries again.
      index = undefined
      throw error
    })
  return index
}

/** All words must be found. In titles they count most, and whole titles before those that contain more. */
function scoreOf({ title, where, text }, words) {
  const name = title.toLowerCase()
  let score = 0
  for (const word of words) {
    if (name === word) score += 100
    else if (name.startsWith(word)) score += 40
    else if (name.includes(word)) score += 20
    else if (where.toLowerCase().includes(word)) score += 5
    else if (text.toLowerCase().includes(word)) score += 1
    else return 0
  }
  return score - name.length / 1000
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  contents.hidden = words.length > 0
  if (words.length === 0) {
    list.replaceChildren()
    status.textContent = ''
    return
  }
  const given = field.value
  let all
  try {
    all = await places()
  } catch {
    status.textContent = 'The search could not be loaded. Is the service running?'
    return
  }
  if (field.value !== given) return
  const found = all
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  list.replaceChildren(...found.slice(0, MAX_RESULTS).map(({ place }) => item(place)))
  const shown = found.length > MAX_RESULTS ? `, the best ${MAX_RESULTS} of them here` : ''
  status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found${shown}`
}

function item({ title, where, url }) {
  const link = document.createElement('a')
  link.href = url
  link.append(title)
  const place = document.createElement('small')
  place.append(where)
  link.append(place)
  const row = document.createElement('li')
  row.append(link)
  return row
}

function clear() {
  field.value = ''
  void search()
}

field.addEventListener('focus', () => void places().catch(() => {}))
field.addEventListener('input', () => void search())
panel.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const position = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    clear()
    field.focus()
  } else if (event.key === 'ArrowDown') links[position + 1]?.focus()
  else if (event.key === 'ArrowUp') (links[position - 1] ?? field).focus()
  else if (event.key === 'Enter' && position === -1) links[0]?.click()
  else return
  event.preventDefault()
})
// A result on this page: the contents come back.
list.addEventListener('click', clear)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return
  event.preventDefault()
  field.focus()
})
// A phone has no room for the contents above the page.
if (matchMedia('(width < 60rem)').matches) contents.open = false
panel.hidden = false
