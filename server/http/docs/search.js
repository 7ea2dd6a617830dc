// Searches a page of the documentation: hides the sections, and the links to them, that do not contain all words.

const panel = document.querySelector('.search')
const field = panel.querySelector('input')
const status = panel.querySelector('[role="status"]')
const sections = [...document.querySelectorAll('main section[id]')].map((section) => ({
  section,
  link: document.querySelector(`.contents a[href="#${section.id}"]`),
  text: section.textContent.toLowerCase(),
}))

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const { section, link, text } of sections) {
    const isFound = words.every((word) => text.includes(word))
    section.hidden = !isFound
    if (link) link.parentElement.hidden = !isFound
    if (isFound) found += 1
  }
  // A heading of the contents without links below it.
  for (const heading of document.querySelectorAll('.contents h2'))
    heading.hidden = !heading.nextElementSibling.querySelector('li:not([hidden])')
  status.textContent = words.length === 0 ? '' : `${found} of ${sections.length} sections`
}

field.addEventListener('input', search)
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === field) return
  event.preventDefault()
  field.focus()
})
// A link to a section that the search has hidden.
addEventListener('hashchange', () => {
  if (!document.getElementById(location.hash.slice(1))?.hidden) return
  field.value = ''
  search()
  document.getElementById(location.hash.slice(1)).scrollIntoView()
})
// A phone has no room for the contents above the page.
if (matchMedia('(width < 60rem)').matches) document.querySelector('.contents details').open = false
panel.hidden = false
